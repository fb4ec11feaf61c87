"""What was measured on real sentences, kept beside the code as JSON, and shown as a table."""

import json
from pathlib import Path
from typing import Any

from contextbook.datasets.fetching import NotFetched
from contextbook.real_sentences.compare import compare
from contextbook.real_sentences.settings import Settings
from contextbook.real_sentences.task import real_task

RECORD = Path(__file__).parent / "record.json"


def recorded(path: str | Path = RECORD) -> dict[str, Any]:
    """Read what :func:`contextbook.real_sentences.compare.compare` measured.

    Raises:
        ValueError: the file is not there or no record.
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise ValueError(
            f"{path} cannot be read ({error}): make it by python -m contextbook.real_sentences "
            f"--record {path}"
        ) from error
    if not isinstance(found, dict) or "models" not in found:
        raise ValueError(f"{path} is no record of real sentences: it has no 'models'")
    return found


def results(settings: Settings | None) -> dict[str, Any]:
    """Train and measure with these settings; with ``None``, what was measured for the book.

    Where the sentences cannot be fetched, says why and goes on with the record.
    """
    if settings is None:
        return recorded()
    try:
        task = real_task(settings)
    except NotFetched as error:
        print(f"{error}\nShown instead is what was measured for the book.")
        return recorded()
    return compare(task, settings)


def write_record(measured: dict[str, Any], command: str, path: str | Path) -> None:
    """Keep what was measured, and by which command."""
    text = json.dumps({"command": command, **measured}, ensure_ascii=False, indent=1)
    Path(path).write_text(text + "\n", encoding="utf-8")


def table(measured: dict[str, Any]) -> str:
    """The models side by side: size, time, and how good their translations are."""
    lines = [f"{'model':14} {'parameters':>10} {'seconds':>8} {'BLEU':>13} {'chrF':>6}"]
    for name, row in measured["models"].items():
        bleu = f"{row['bleu']:.1f} ± {row['bleu_interval']:.1f}"
        lines.append(
            f"{name:14} {row['parameters']:10,} {row['seconds']:8.0f} {bleu:>13} {row['chrf']:6.1f}"
        )
    return "\n".join(lines)
