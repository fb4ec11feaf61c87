"""Which words go together: what a rule of the grammar chooses from, worked out once."""

from contextbook.datasets.lexicon import ADJECTIVES, ADVERBS, NOUNS, VERBS


class Choices:
    """The words of one vocabulary, sorted by what they can do in a sentence.

    Args:
        small: only the words marked for the small vocabulary.
    """

    def __init__(self, small: bool) -> None:
        nouns = [noun for noun in NOUNS if noun.small or not small]
        verbs = [verb for verb in VERBS if verb.small or not small]
        adjectives = {word.english: word for word in ADJECTIVES if word.small or not small}
        adverbs = [adverb for adverb in ADVERBS if adverb.small or not small]
        self.kinds = {
            kind: [noun for noun in nouns if noun.kind == kind]
            for kind in ("name", "person", "animal", "thing", "place")
        }
        self.adjectives = {
            noun.english: [adjectives[word] for word in noun.adjectives if word in adjectives]
            for noun in nouns
        }
        self.favourite_verbs = {
            noun.english: [verb for verb in verbs if verb.present in noun.verbs] for noun in nouns
        }
        self.favourite_places = {
            noun.english: [place for place in nouns if place.english in noun.places]
            for noun in nouns
        }
        self.objects = {
            verb.present: [
                noun for noun in nouns if noun.english in verb.objects or noun.kind in verb.objects
            ]
            for verb in verbs
        }
        for verb in verbs:  # whoever takes a person takes a name
            if "person" in verb.objects:
                self.objects[verb.present] += self.kinds["name"]
        self.by_person = verbs
        self.by_animal = [verb for verb in verbs if verb.animal]
        self.takers = {
            (noun.english, animal): [
                verb
                for verb in (self.by_animal if animal else verbs)
                if noun in self.objects[verb.present]
            ]
            for noun in nouns
            for animal in (False, True)
        }
        # who comes upon something is awake and not at the desk
        self.outings = {
            animal: [
                verb
                for verb in (self.by_animal if animal else verbs)
                if verb.progressive in ("walking", "running", "singing")
            ]
            for animal in (False, True)
        }
        self.pastimes = [
            verb for verb in verbs if verb.progressive and verb not in self.outings[False]
        ]
        # what one may come upon while walking along
        self.discoveries = [verb for verb in verbs if verb.past in ("met", "saw", "found")]
        self.openers = {
            tense: [word for word in adverbs if word.opens and word.tense in ("", tense)]
            for tense in ("present", "past")
        }
        self.frequencies = [word for word in adverbs if word.english in ("often", "always")]
        self.manners = [word for word in adverbs if word.english == "quietly"]
