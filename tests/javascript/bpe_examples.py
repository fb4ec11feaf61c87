"""Texts as the book's Python cuts them, which the figures' JavaScript must cut alike.

``python tests/javascript/bpe_examples.py`` writes them anew.
"""

import json
import random
import unicodedata
from pathlib import Path
from typing import Any

from contextbook.datasets import RUNNING_SENTENCE, RUNNING_TRANSLATION
from contextbook.text import ByteLevelBPE, learn_merges, merge_steps, pieces

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "bpe.json"

CORPUS = [
    RUNNING_SENTENCE,
    RUNNING_TRANSLATION,
    "The dog that barked didn't bite; the dog that bit hadn't barked, and they'll all be walking.",
    "昔々、あるところに、おじいさんとおばあさんが住んでいました。犬と猫が歩いていました。",
    "おじいさんは山へ柴刈りに、おばあさんは川へ洗濯に行きました。犬が歩いていると言いました。",
    "👩‍🚀 👩‍🚀 🐕‍🦺 🐕‍🦺 1234 1234 aaaa aaaa abababab",
]
TEXTS = [
    *CORPUS,
    "",
    " ",
    "  two  spaces\t\ttabs\r\n\n newline \u3000全角 \u00a0",
    "\x00\x01\x1b[0m\x1c\x1d\x1e\x1f\x7f\x85\u200b\ufeff a\ufeff b\x85",
    "'s 't 're 've 'm 'll 'd 'S ' s ''s I'm we'll",
    "Ünïcödé Ⅷ ½ ٣ 1７ _snake_case_ é e\u0301 か\u3099",
    "👩‍👩‍👧‍👦 🇯🇵 👍🏽 a👍b",
    "مرحبا بالعالم हिन्दी ไทย 한국어 𝔘𝔫𝔦 𠮷野家",
    "a" * 50,
    "unseen words: zebra, 象 (zō) — and 犬 means dog",
]


def random_texts(seed: int = 0, count: int = 60) -> list[str]:
    """Texts of characters from all of Unicode and of few characters that merge often."""
    draw = random.Random(seed)
    assigned = [
        chr(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code)) not in ("Cs", "Cn", "Co")
    ]
    spiky = "ab's tllredd19²_犬がー。　\x1c\x1f\x85\n\r🐕\u0301歩いて"
    return [
        "".join(draw.choices(assigned if i % 2 else spiky, k=draw.randint(1, 24)))
        for i in range(count)
    ]


def examples() -> dict[str, Any]:
    """Merges, and texts with their pieces and their ids after some of the merges."""
    merges = learn_merges(CORPUS, 1000, min_count=1)
    whole = ByteLevelBPE(merges)
    cases = []
    for number, text in enumerate(TEXTS + random_texts()):
        used = [0, 7, 60, len(merges)][number % 4]
        cases.append(
            {
                "text": text,
                "pieces": pieces(text),
                "used": used,
                "ids": ByteLevelBPE(merges[:used]).encode(text),
                "all_ids": whole.encode(text),
                # the numbers of the merges that change the text, counted from 1
                "steps": [step.merges for step in merge_steps(whole, text)][1:],
            }
        )
    return {"merges": " ".join(f"{left},{right}" for left, right in merges), "cases": cases}


def written() -> str:
    """The examples as they stand in the file: ASCII alone, one case a line."""
    made = examples()
    lines = ",\n".join("  " + json.dumps(case) for case in made["cases"])
    return f'{{\n "merges": {json.dumps(made["merges"])},\n "cases": [\n{lines}\n ]\n}}\n'


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
