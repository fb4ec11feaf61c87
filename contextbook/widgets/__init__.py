"""The book's interactive figures.

Each is an anywidget: it runs in JupyterLab, VS Code and Colab beside a kernel, and on the book's
pages without one. Importing this package imports neither torch nor ipywidgets; a figure does, when
it is first asked for.
"""

from __future__ import annotations

import importlib
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextbook.widgets._alignment_explorer import AlignmentExplorer
    from contextbook.widgets._attention_view import AttentionView
    from contextbook.widgets._base import Figure
    from contextbook.widgets._cost_bench import CostBench
    from contextbook.widgets._gate_bench import GateBench
    from contextbook.widgets._gradient_bench import GradientBench
    from contextbook.widgets._heads_view import HeadsView
    from contextbook.widgets._influence_view import InfluenceView
    from contextbook.widgets._live_transformer import LiveTransformer
    from contextbook.widgets._positions_view import PositionsView
    from contextbook.widgets._recurrent_reader import RecurrentReader
    from contextbook.widgets._sequence_writer import SequenceWriter
    from contextbook.widgets._soft_dictionary import SoftDictionary
    from contextbook.widgets._token_bench import TokenBench
    from contextbook.widgets._translators import load_translator
    from contextbook.widgets._weights import rounded
    from contextbook.widgets._word_map import WordMap

    STUB: str

__all__ = [
    "STUB",
    "AlignmentExplorer",
    "AttentionView",
    "CostBench",
    "Figure",
    "GateBench",
    "GradientBench",
    "HeadsView",
    "InfluenceView",
    "LiveTransformer",
    "PositionsView",
    "RecurrentReader",
    "SequenceWriter",
    "SoftDictionary",
    "TokenBench",
    "WordMap",
    "load_translator",
    "rounded",
]

_HOMES = {
    "AlignmentExplorer": "_alignment_explorer",
    "AttentionView": "_attention_view",
    "CostBench": "_cost_bench",
    "Figure": "_base",
    "GateBench": "_gate_bench",
    "GradientBench": "_gradient_bench",
    "HeadsView": "_heads_view",
    "InfluenceView": "_influence_view",
    "LiveTransformer": "_live_transformer",
    "PositionsView": "_positions_view",
    "RecurrentReader": "_recurrent_reader",
    "SequenceWriter": "_sequence_writer",
    "SoftDictionary": "_soft_dictionary",
    "TokenBench": "_token_bench",
    "WordMap": "_word_map",
    "load_translator": "_translators",
    "rounded": "_weights",
}


def __getattr__(name: str) -> Any:
    if name == "STUB":
        return _stub()
    if name in _HOMES:
        return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def _stub() -> str:
    """Make the one-line module that a saved notebook keeps in place of a figure's own."""
    from contextbook.words import words

    sentence = json.dumps(words("common").run_notebook, ensure_ascii=False)
    return f"export default {{ render({{ el }}) {{ el.textContent = {sentence}; }} }};"
