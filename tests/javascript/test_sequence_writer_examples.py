"""The examples that the sequence writer's JavaScript is held to are those that PyTorch makes."""

import json

import numpy as np
from sequence_writer_examples import PATH, SAMPLES, SENTENCES, examples, figure

from contextbook.widgets._translators import unpack_translator
from contextbook.widgets._weights import Packed


def test_the_translations_are_what_pytorch_makes() -> None:
    stored = json.loads(PATH.read_text(encoding="utf-8"))
    made = json.loads(json.dumps(examples(stored["state"])))
    assert stored["translations"]
    for old, new in zip(stored["translations"], made["translations"], strict=True):
        for name in ("sentence", "width", "written", "beams"):
            assert old[name] == new[name], (
                "run: python tests/javascript/sequence_writer_examples.py"
            )
        np.testing.assert_allclose(old["vector"], new["vector"], atol=1e-5)
        shares = [[[share for _, share in step] for step in one["likeliest"]] for one in (old, new)]
        np.testing.assert_allclose(shares[0], shares[1], atol=1e-5)
    assert len({tuple(case["written"]) for case in made["translations"]}) >= 2


def test_the_state_is_what_python_sends() -> None:
    stored = json.loads(PATH.read_text(encoding="utf-8"))["state"]
    model, _, _ = unpack_translator(Packed(**stored["models"]["seq2seq"]))
    sent = json.loads(json.dumps(figure(model).get_state()))
    assert {name: sent[name] for name in stored} == stored
    assert [sample["english"] for sample in stored["samples"]] == [
        list(one.english) for one in SAMPLES
    ]
    assert stored["sentence"] == list(SENTENCES[0])
