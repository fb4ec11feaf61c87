"""The examples that hold the figures' BPE to the book's are what the book's code gives now."""

from bpe_examples import PATH, written


def test_examples_are_current() -> None:
    hint = "run: python tests/javascript/bpe_examples.py"
    assert PATH.read_text(encoding="utf-8") == written(), hint
