"""The words of the translation grammar: forms, readings, classes, and what goes with what.

Readings are Hepburn romaji with long vowels as in kana (ou, kooto); a doubled consonant ends its
token (会っ, at, before た, ta).
"""

from typing import NamedTuple

from contextbook.datasets import lexicon_tables as tables

Tokens = tuple[str, ...]


class Noun(NamedTuple):
    """A noun or a name. ``gender`` is "male", "female" or "" and decides between he, she and it."""

    english: str
    japanese: Tokens
    kind: str  # "name", "person", "animal", "thing" or "place"
    gender: str
    adjectives: Tokens  # the English adjectives that suit it
    verbs: Tokens  # verbs (present tense) that it likes best as a subject
    places: Tokens  # where it is found most often
    small: bool


class Adjective(NamedTuple):
    """An adjective. ``rank`` is its place before the noun: opinion, size, age, colour."""

    english: str
    japanese: Tokens
    rank: int
    small: bool


class Verb(NamedTuple):
    """A verb in both languages. The Japanese forms come without て, た, ます and まし."""

    present: str
    past: str
    progressive: str  # "" where the grammar has no use for it
    stem: Tokens  # before ます and まし: 書き
    joined: Tokens  # before て and た: 書い
    dictionary: Tokens  # plain present: 書く
    voiced: bool  # で and だ in place of て and た: 読んで, 読んだ
    particle: str  # after the object; for a verb without an object, after the place
    objects: Tokens  # nouns or kinds that can be its object; () for none
    animal: bool  # an animal can do it
    quiet: bool  # it can be done quietly
    once: bool  # it happens in a moment: as a habit it would sound odd in a relative clause
    small: bool


class Adverb(NamedTuple):
    """An adverb. ``tense`` is "past" for those that ask for it, else ""."""

    english: str
    japanese: Tokens
    opens: bool  # stands at the head of the sentence: yesterday, …
    tense: str
    small: bool


_READINGS: dict[str, str] = {}
_GLOSSES: dict[str, str] = {}
_CLASSES: dict[str, str] = {}


def reading(token: str) -> str:
    """Return how a Japanese token of the grammar is read, in romaji: ``reading("歩い")`` is "arui".

    Raises:
        ValueError: the grammar never writes this token.
    """
    return _look_up(_READINGS, token, "Japanese")


def gloss(token: str) -> str:
    """Return in English what a Japanese token means or does: ``gloss("歩い")`` is "walk".

    Raises:
        ValueError: the grammar never writes this token.
    """
    return _look_up(_GLOSSES, token, "Japanese")


def word_class(token: str) -> str:
    """Return the class of an English token: "person", "animal", "verb", "determiner", …

    Both tenses and the -ing form are "verb"; nouns are "name", "person", "animal", "thing" or
    "place"; the others are "adjective", "adverb", "determiner", "pronoun", "auxiliary",
    "relative", "conjunction", "particle" and "punctuation".

    Raises:
        ValueError: the grammar never writes this token.
    """
    return _look_up(_CLASSES, token, "English")


def _look_up(table: dict[str, str], token: str, language: str) -> str:
    if token not in table:
        raise ValueError(
            f"{token!r} is no {language} token of the grammar, which writes {len(table)}"
        )
    return table[token]


def _rows(table: str) -> list[tuple[bool, list[str]]]:
    return [
        (line.startswith("*"), [cell.strip() for cell in line.lstrip("*").split("|")])
        for line in table.strip().splitlines()
    ]


def _note(surface: str, romaji: str, meaning: str) -> str:
    """Remember how a token is read and what it means; a token has one reading in this grammar."""
    if _READINGS.setdefault(surface, romaji) != romaji:
        raise ValueError(f"{surface} is read both {_READINGS[surface]} and {romaji}")
    _GLOSSES.setdefault(surface, meaning)
    return surface


def _tokens(cell: str, meaning: str) -> Tokens:
    pairs = (item.split(":") for item in cell.split())
    return tuple(_note(surface, romaji, meaning) for surface, romaji in pairs)


def _verb(small: bool, cells: list[str]) -> Verb:
    english, japanese, particle, objects, flags = cells
    present, past, progressive = (*english.split(), "")[:3]
    *prefix, root, ending = japanese.split()
    surface, romaji = root.split(":")
    last, stem, stem_romaji, joined, joined_romaji, voiced = tables.ENDINGS[ending]
    before = _tokens(" ".join(prefix), "go out")  # the 出 of 出会う

    def form(kana: str, end: str) -> Tokens:
        return (*before, _note(surface + kana, romaji + end, present.removesuffix("s")))

    return Verb(
        present=present,
        past=past,
        progressive=progressive,
        stem=form(stem, stem_romaji),
        joined=form(joined, joined_romaji),
        dictionary=form(ending[0], last),
        voiced=voiced,
        particle=particle,
        objects=tuple(objects.split()),
        animal="animal" in flags.split(),
        quiet="quiet" in flags.split(),
        once="once" in flags.split(),
        small=small,
    )


def _noun(kind: str, small: bool, cells: list[str]) -> Noun:
    english, japanese, gender, *likes = cells
    adjectives, verbs, places = (tuple(like.split()) for like in likes)
    tokens = _tokens(japanese, english)
    return Noun(english, tokens, kind, gender, adjectives, verbs, places, small)


def _adjective(small: bool, cells: list[str]) -> Adjective:
    english, japanese, rank = cells
    return Adjective(english, _tokens(japanese, english), int(rank), small)


def _adverb(small: bool, cells: list[str]) -> Adverb:
    english, japanese, flags = cells
    tense = "past" if "past" in flags.split() else ""
    return Adverb(english, _tokens(japanese, english), "opens" in flags.split(), tense, small)


for _line in tables.FUNCTION.strip().splitlines():
    _note(*_line.split(maxsplit=2))

NOUNS = (
    *(_noun("name", small, [*cells, "", "", ""]) for small, cells in _rows(tables.NAMES)),
    *(_noun("person", small, cells) for small, cells in _rows(tables.PEOPLE)),
    *(
        _noun(kind, small, [english, japanese, "", adjectives, "", ""])
        for kind, table in (
            ("animal", tables.ANIMALS),
            ("thing", tables.THINGS),
            ("place", tables.PLACES),
        )
        for small, (english, japanese, adjectives) in _rows(table)
    ),
)
ADJECTIVES = tuple(_adjective(small, cells) for small, cells in _rows(tables.ADJECTIVES))
VERBS = tuple(_verb(small, cells) for small, cells in _rows(tables.VERBS))
ADVERBS = tuple(_adverb(small, cells) for small, cells in _rows(tables.ADVERBS))

# (man, woman): the same word for him and for her
GENDER_PAIRS = (
    ("king", "queen"),
    ("prince", "princess"),
    ("man", "woman"),
    ("boy", "girl"),
    ("father", "mother"),
    ("he", "she"),
    ("his", "her"),
)
# (present, past): sees, saw
TENSE_PAIRS = tuple((verb.present, verb.past) for verb in VERBS)

_CLASSES.update({noun.english: noun.kind for noun in NOUNS})
_CLASSES.update({adjective.english: "adjective" for adjective in ADJECTIVES})
_CLASSES.update({adverb.english: "adverb" for adverb in ADVERBS})
_CLASSES.update(
    {form: "verb" for verb in VERBS for form in (verb.present, verb.past, verb.progressive) if form}
)
_CLASSES.update(
    {word: name for name, words in tables.SMALL_WORDS.items() for word in words.split()}
)
