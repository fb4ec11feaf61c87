"""The rules of the grammar: each builds its part of a sentence in English and Japanese at once."""

import random
from collections.abc import Sequence
from typing import TypeVar

from contextbook.datasets.choices import Choices
from contextbook.datasets.lexicon import Adjective, Noun, Tokens, Verb
from contextbook.datasets.phrases import (
    Japanese,
    NounPhrase,
    Phrase,
    Slot,
    close,
    content,
    predicate,
    tokens,
)

Item = TypeVar("Item")


class Productions:
    """The grammar over one vocabulary. Every choice comes from one seeded generator.

    Args:
        seed: of ``random.Random``; only its ``random()`` is used, whose sequence Python
            guarantees for a seed on every machine and version.
        small: use the words marked for the small vocabulary only.
    """

    def __init__(self, seed: int, small: bool) -> None:
        self.random = random.Random(seed).random
        self.words = Choices(small)

    def pick(self, items: Sequence[Item]) -> Item:
        """Choose one of the items, each as likely."""
        return items[int(self.random() * len(items))]

    def chance(self, probability: float) -> bool:
        """Say yes with this probability."""
        return self.random() < probability

    def sentence(self, richness: float) -> Phrase:
        """Build a sentence; ``richness`` (0.1 to 1.2) says how many parts it tends to have."""
        kind = self.random()
        if kind < 0.10:
            parts = self.existence(richness)
        elif kind < 0.24:
            parts = self.meeting(richness)
        elif kind < 0.30:
            parts = self.meanwhile(richness)
        else:
            parts = self.statement(richness)
        return close(parts)

    def statement(self, richness: float) -> Phrase:
        """One clause, or two joined by "and" or "but", with a word of time before them."""
        tense = self.tense()
        opener = Phrase([], [])
        if self.chance(richness * 0.3) and self.words.openers[tense]:
            adverb = self.pick(self.words.openers[tense])
            slot = Slot(adverb.english)
            opener = Phrase([slot], [*tokens(adverb.japanese, slot), ("、", None)])
        joined = self.chance(richness * 0.4)
        contrast = joined and self.chance(0.4)
        style = "polite" if contrast or not joined else "joined"
        often = not opener.english  # "yesterday … always …" would clash
        subject = self.subject(richness)
        first = self.clause(subject, richness, tense, style, often)
        english = opener.english + first.english
        japanese = opener.japanese + first.japanese
        if joined:
            other = self.subject(richness * 0.6, besides=subject.noun)
            second = self.clause(other, richness * 0.6, tense, "polite", often)
            if contrast:
                english += [Slot(","), Slot("but")]
                japanese.append(("が", None))
            else:
                english.append(Slot("and"))
            japanese.append(("、", None))
            english += second.english
            japanese += second.japanese
        return Phrase(english, japanese)

    def clause(
        self, subject: NounPhrase, richness: float, tense: str, style: str, often: bool
    ) -> Phrase:
        """Subject, verb and object, perhaps with an adverb and a place: S は 副詞 P で O を V."""
        verb = self.verb_for(subject.noun)
        target = self.object_of(verb, richness, subject.noun, depth=1)
        if subject.new and target and ("が", None) in target.japanese:
            # 少女が王女が食べる卵を食べます: two が in a row would lead the reader astray
            target = self.object_of(verb, richness, subject.noun, depth=0)
        place = self.place(richness, subject.noun, verb) if self.chance(richness * 0.7) else None
        manner: Phrase | None = None
        adverbs = self.words.frequencies if often else []
        if verb.quiet:
            adverbs = [*adverbs, *self.words.manners]
        if adverbs and self.chance(richness * 0.4):
            adverb = self.pick(adverbs)
            slot = Slot(adverb.english)
            manner = Phrase([slot], tokens(adverb.japanese, slot))
        particle = "が" if subject.new else "は"
        return self.assemble(subject, particle, manner, place, verb, target, tense, style)

    def assemble(
        self,
        subject: NounPhrase,
        particle: str,
        manner: Phrase | None,
        place: Phrase | None,
        verb: Verb,
        target: NounPhrase | None,
        tense: str,
        style: str,
    ) -> Phrase:
        """Put the parts of a clause in the order of each language."""
        action = Slot(verb.past if tense == "past" else verb.present)
        english = [*subject.english]
        japanese: Japanese = [*subject.japanese, (particle, None)]
        if manner:
            english += manner.english
            japanese += manner.japanese
        english.append(action)
        if place:
            japanese += place.japanese
        if target:
            english += target.english
            japanese += target.japanese
            japanese.append((verb.particle, None))
        if place:
            english += place.english
        return Phrase(english, japanese + predicate(verb, action, tense, style))

    def existence(self, richness: float) -> Phrase:
        """There was a dog in the garden: いる for what lives, ある for what does not."""
        tense = self.tense()
        kind = self.pick(("person", "animal", "thing", "thing"))
        noun = self.pick(self.words.kinds[kind])
        what = self.noun_phrase(noun, richness, depth=1, determiners=("a",))
        where = self.located("に", self.pick(self.words.kinds["place"]), richness)
        stem = "あり" if noun.kind == "thing" else "い"
        endings = ("まし", "た") if tense == "past" else ("ます",)
        english = [Slot("there"), Slot("was" if tense == "past" else "is")]
        japanese: Japanese = [*where.japanese, *what.japanese, ("が", None)]
        japanese += [(token, None) for token in (stem, *endings)]
        return Phrase([*english, *what.english, *where.english], japanese)

    def meeting(self, richness: float) -> Phrase:
        """As the dog was walking along, it met a cat: 犬が歩いていると猫と出会いました。"""
        while True:
            subject = self.subject(richness)
            if subject.noun.gender or subject.noun.kind == "animal":
                break  # a teacher or a doctor would be neither "he" nor "she"
        verb = self.pick(self.words.outings[subject.noun.kind == "animal"])
        place = self.place(richness, subject.noun, verb) if self.chance(richness * 0.7) else None
        seen = self.pick(self.words.discoveries)
        target = self.object_of(seen, richness, subject.noun, depth=1)
        assert target is not None
        return self.come_upon(subject, verb, place, seen, target)

    def come_upon(
        self,
        subject: NounPhrase,
        verb: Verb,
        place: Phrase | None,
        seen: Verb,
        target: NounPhrase,
    ) -> Phrase:
        """Put together "as … was …ing, … met …"; Japanese leaves the second subject unsaid."""
        pronoun = {"male": "he", "female": "she", "": "it"}[subject.noun.gender]
        action, saw = Slot(verb.progressive), Slot(seen.past)
        along = verb.progressive in ("walking", "running") and place is None
        english = [Slot("as"), *subject.english, Slot("was"), action]
        english += [Slot("along")] if along else []
        english += place.english if place else []
        english += [Slot(","), Slot(pronoun), saw, *target.english]
        japanese: Japanese = [*subject.japanese, ("が", None)]
        japanese += place.japanese if place else []
        japanese += predicate(verb, action, "past", "progressive")
        japanese += [("と", None), *target.japanese, (seen.particle, None)]
        return Phrase(english, japanese + predicate(seen, saw, "past", "polite"))

    def meanwhile(self, richness: float) -> Phrase:
        """While the king was reading a book, the queen wrote a letter: …読んでいる間に、…"""
        subject = self.subject(richness * 0.6, depth=0, kinds=("person", "person", "name"))
        verb = self.pick(self.words.pastimes)
        target = self.object_of(verb, richness * 0.6, subject.noun, depth=0)
        action = Slot(verb.progressive)
        other = self.subject(richness * 0.8, besides=subject.noun)
        main = self.clause(other, richness * 0.8, "past", "polite", often=False)
        english = [Slot("while"), *subject.english, Slot("was"), action]
        japanese: Japanese = [*subject.japanese, ("が", None)]
        if target:
            english += target.english
            japanese += [*target.japanese, (verb.particle, None)]
        english.append(Slot(","))
        japanese += predicate(verb, action, "past", "progressive")
        japanese += [("間", None), ("に", None), ("、", None)]
        return Phrase(english + main.english, japanese + main.japanese)

    def subject(
        self,
        richness: float,
        depth: int = 1,
        kinds: Tokens = ("person", "person", "person", "animal", "animal", "name"),
        besides: Noun | None = None,
    ) -> NounPhrase:
        """Someone who can act, other than ``besides``: a person, an animal or a name."""
        while True:
            noun = self.pick(self.words.kinds[self.pick(kinds)])
            if noun is not besides:
                break
        return self.noun_phrase(noun, richness, depth)

    def verb_for(self, noun: Noun) -> Verb:
        """Choose what the subject does; people have favourite doings."""
        favourites = self.words.favourite_verbs[noun.english]
        if favourites and self.chance(0.3):
            return self.pick(favourites)
        return self.pick(self.words.by_animal if noun.kind == "animal" else self.words.by_person)

    def object_of(self, verb: Verb, richness: float, owner: Noun, depth: int) -> NounPhrase | None:
        """Choose an object that suits the verb; it may be the subject's own."""
        if not verb.objects:
            return None
        while True:
            noun = self.pick(self.words.objects[verb.present])
            if noun is not owner:
                break
        if verb.present == "writes":
            depth = 0  # nobody writes a letter which somebody bought
        own = {"male": "his", "female": "her", "": ""}[owner.gender]
        if own and noun.kind in ("thing", "animal") and self.chance(0.35):
            return self.noun_phrase(noun, richness, 0, determiners=(own,))
        return self.noun_phrase(noun, richness, depth)

    def place(self, richness: float, subject: Noun, verb: Verb) -> Phrase:
        """Where it happens; people have favourite places, and one walks *through* a park (を)."""
        favourites = self.words.favourite_places[subject.english]
        likes = favourites and self.chance(0.3)
        noun = self.pick(favourites if likes else self.words.kinds["place"])
        return self.located("で" if verb.objects else verb.particle, noun, richness)

    def located(self, particle: str, noun: Noun, richness: float) -> Phrase:
        """ "in" and a place, with the particle that the Japanese verb wants."""
        where = self.noun_phrase(noun, richness * 0.5, 0, determiners=("the", "this", "a"))
        return Phrase([Slot("in"), *where.english], [*where.japanese, (particle, None)])

    def noun_phrase(
        self,
        noun: Noun,
        richness: float,
        depth: int,
        determiners: Tokens = ("the", "the", "a", "this", "that"),
    ) -> NounPhrase:
        """Determiner, adjectives, noun, relative clause; in Japanese the clause comes first."""
        head = Slot(noun.english)
        if noun.kind == "name":
            return NounPhrase([head], tokens(noun.japanese, head), noun, new=False)
        word = self.pick(determiners)
        adjectives: list[Adjective] = []
        fitting = self.words.adjectives[noun.english]
        while fitting and len(adjectives) < 2 and self.chance(richness * 0.6):
            adjectives.append(self.pick(fitting))
            # two of one rank (kind clever) would have no settled order
            fitting = [other for other in fitting if other.rank != adjectives[0].rank]
        adjectives.sort(key=lambda adjective: adjective.rank)
        slots = [Slot(adjective.english) for adjective in adjectives]
        following = slots[0].text if slots else noun.english
        if word == "a" and following[0] in "aeiou":
            word = "an"
        determiner = Slot(word)
        english = [determiner, *slots, head]
        japanese: Japanese = []
        if depth > 0 and self.chance(richness * 0.5):
            relative = self.relative(noun, richness, depth - 1)
            english += relative.english
            japanese += relative.japanese
        if word in ("this", "that"):
            japanese.append(("この" if word == "this" else "その", determiner))
        elif word in ("his", "her"):
            japanese += [("自分", determiner), ("の", None)]
        for adjective, slot in zip(adjectives, slots, strict=True):
            japanese += content(adjective.japanese, slot)
        japanese += tokens(noun.japanese, head)
        return NounPhrase(english, japanese, noun, new=word in ("a", "an"))

    def relative(self, noun: Noun, richness: float, depth: int) -> Phrase:
        """Who saw a dog → 犬を見た, whom a dog saw → 犬が見た: the verb in its plain form."""
        acts = noun.kind in ("person", "animal")
        if acts and self.chance(0.5):
            pronoun = Slot("who" if noun.kind == "person" else "which")
            verb = self.verb_for(noun)
            target = self.object_of(verb, richness, noun, depth)
            tense = "past" if verb.once else self.tense()
            action = Slot(verb.past if tense == "past" else verb.present)
            japanese: Japanese = [*target.japanese, (verb.particle, None)] if target else []
            japanese += predicate(verb, action, tense, "plain")
            return Phrase([pronoun, action, *(target.english if target else [])], japanese)
        pronoun = Slot("whom" if noun.kind == "person" else "which")
        while True:
            subject = self.subject(richness, depth, besides=noun)
            takers = self.words.takers[noun.english, subject.noun.kind == "animal"]
            if takers:
                break
        verb = self.pick(takers)
        tense = "past" if verb.once else self.tense()
        action = Slot(verb.past if tense == "past" else verb.present)
        japanese = [*subject.japanese, ("が", None), *predicate(verb, action, tense, "plain")]
        return Phrase([pronoun, *subject.english, action], japanese)

    def tense(self) -> str:
        """Past a little more often than present."""
        return "past" if self.chance(0.6) else "present"
