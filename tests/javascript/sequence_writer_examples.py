"""What PyTorch's beam search makes of a small translator, for the sequence writer's JavaScript.

``python tests/javascript/sequence_writer_examples.py`` trains the translator and writes all anew.
"""

import json
from pathlib import Path
from typing import Any

import torch

from contextbook.datasets import Pair
from contextbook.decoding import beam_search
from contextbook.recurrent import LSTMCell
from contextbook.recurrent.states import hidden_of
from contextbook.seq2seq import Decoder, Encoder, EncoderDecoder, sequence_loss
from contextbook.text import Vocabulary
from contextbook.widgets import SequenceWriter
from contextbook.widgets._translators import unpack_translator
from contextbook.widgets._weights import Packed

PATH = Path(__file__).parents[2] / "widgets" / "test" / "fixtures" / "sequence-writer.json"
ENGLISH = Vocabulary(["the", "dog", "cat", "walked", "sees", "a", "and", ",", "."])
JAPANESE = Vocabulary(["犬", "猫", "が", "歩い", "た", "は", "、", "。"])
STOP, END = 2, "■"
MOST = 46
ALTERNATIVES = 5
WIDTHS = [1, 3, 5]


def pair(english: str, japanese: str) -> Pair:
    """A sample; which words belong together is of no matter here."""
    return Pair(tuple(english.split()), tuple(japanese.split()), ())


# the translator learns the first; has not seen the second; is taught otherwise on the third
SAMPLES = [
    pair("the dog walked .", "犬 は 歩い た 。"),
    pair("a cat walked .", "猫 は 歩い た 。"),
    pair("a cat , and the dog sees a cat .", "猫 が 犬 、 猫 。"),
]
LEARNED = [SAMPLES[0], pair("a cat , and the dog sees a cat .", "猫 が 犬 。")]
SENTENCES = [sample.english for sample in SAMPLES] + [("dog",)]


def learned() -> EncoderDecoder:
    """A small translator that has learned two sentences by heart."""
    torch.manual_seed(0)
    encoder = Encoder(len(ENGLISH), 4, 8, LSTMCell)
    model = EncoderDecoder(encoder, Decoder(len(JAPANESE), 4, 8, LSTMCell))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(120):
        one = LEARNED[step % 2]
        source = torch.tensor([ENGLISH.encode(one.english, eos=True)])
        target = torch.tensor([JAPANESE.encode(one.japanese, bos=True, eos=True)])
        loss = sequence_loss(model(source, None, target[:, :-1])[0], target[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


def figure(model: EncoderDecoder) -> SequenceWriter:
    """The figure of that translator."""
    return SequenceWriter(model, ENGLISH, JAPANESE, SAMPLES, SENTENCES[0])


@torch.no_grad()
def translations(packed: Packed) -> list[dict[str, Any]]:
    """What PyTorch makes of the sentences with the same rounded weights, at each width."""
    model, english, japanese = unpack_translator(packed)

    def shown(token: int) -> str:
        return END if token == STOP else japanese.tokens[token]

    found = []
    for sentence in SENTENCES:
        source = torch.tensor([english.encode(sentence, eos=True)])
        for width in WIDTHS:
            beams = beam_search(model, source, width=width, max_length=MOST).ids()[0]
            winner = [*beams[0], STOP][:MOST]
            state, before, likeliest = model.start(source), 1, []
            vector = hidden_of(state.hidden)[0].tolist()
            for token in winner:
                log_probs, state, _ = model.step(torch.tensor([before]), state)
                shares, ids = log_probs[0].exp().topk(ALTERNATIVES)
                pairs = zip(ids.tolist(), shares.tolist(), strict=True)
                likeliest.append([[shown(i), round(share, 7)] for i, share in pairs])
                before = token
            found.append(
                {
                    "sentence": list(sentence),
                    "width": width,
                    "vector": [round(x, 7) for x in vector],
                    "written": [shown(token) for token in winner],
                    "likeliest": likeliest,
                    "beams": [[shown(token) for token in ids] for ids in beams],
                }
            )
    return found


def examples(state: dict[str, Any]) -> dict[str, Any]:
    """What a kernel sends to the page, and what must come of it there."""
    return {"state": state, "translations": translations(Packed(**state["models"]["seq2seq"]))}


if __name__ == "__main__":
    sent = figure(learned()).get_state()
    names = ["figure", "models", "names", "vocabulary", "notes", "samples", "example"]
    kept = {name: sent[name] for name in [*names, "sentence", "step", "width"]}
    PATH.write_text(json.dumps(examples(kept), ensure_ascii=False) + "\n", encoding="utf-8")
