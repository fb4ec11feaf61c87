"""Start a figure: ``python -m tools.new_figure NAME`` (or ``make new-figure``).

Writes a figure that works, one slider and one sentence, on both sides: its script, its Python
class and its words. What remains is to make it the figure that the chapter needs.
"""

import argparse
import json
import re
import sys
from pathlib import Path

from tools.config import ROOT

SCRIPT = """\
/** What the figure shows, in a sentence. */
import {{ announcer }} from "../../lib/announce.js";
import {{ element, putText }} from "../../lib/dom.js";
import {{ putFigure }} from "../../lib/frame.js";
import {{ slider }} from "../../lib/slider.js";
import {{ createStore }} from "../../lib/store.js";
import {{ connect, readTraits }} from "../../lib/traits.js";
import {{ byLanguage, fill }} from "../../lib/words.js";
import {{ common, {section} }} from "../../../../contextbook/words/en.json";

const en = {{ ...common, ...{section} }};
const TRAITS = {{ amount: "amount" }};

/** @param {{{{ model: import("../../lib/traits.js").Model, el: HTMLElement }}}} host */
function render({{ model, el }}) {{
  const words = byLanguage({{ en }});
  const ending = new AbortController();
  const example = model.get("amount");
  const store = createStore(/** @type {{{{ amount: number }}}} */ (readTraits(model, TRAITS)));
  const link = connect(model, store, TRAITS, () => true);

  const amount = slider({{
    label: words.amount,
    min: 0,
    max: 10,
    step: 1,
    format: String,
    onInput: (value) => link.commit({{ amount: value }}),
    signal: ending.signal,
  }});
  const sentence = element("p", {{}});
  const reset = element("button", {{ type: "button" }}, words.reset);
  const restore = () => link.commit({{ amount: example }});
  reset.addEventListener("click", restore, {{ signal: ending.signal }});
  const spoken = announcer();

  putFigure(
    el,
    words.title,
    element("p", {{ class: "cb-guide" }}, words.guide),
    amount.node,
    sentence,
    element("div", {{ class: "cb-buttons" }}, reset),
    spoken.node,
  );

  function update() {{
    const {{ amount: value }} = store.get();
    amount.update(value);
    const text = fill(words.sentence, {{ value, square: value * value }});
    putText(sentence, text);
    spoken.say(() => text);
  }}

  const stop = store.subscribe(update);
  update();
  return () => {{
    ending.abort();
    link.stop();
    stop();
    spoken.stop();
  }};
}}

export default {{ render }};
"""

CLASS = '''\
"""What the figure shows, in a sentence."""

from __future__ import annotations

import traitlets

from contextbook.widgets._base import Figure, check_number

LARGEST = 10


class {name}(Figure):
    """What the reader moves, and what follows.

    Args:
        amount: from 0 to 10.

    Raises:
        ValueError: the amount lies outside, or is NaN.
    """

    _name = "{kebab}"

    amount = traitlets.Float().tag(sync=True)

    def __init__(self, amount: float = 3) -> None:
        super().__init__(amount=amount)

    @traitlets.validate("amount")
    def _check_amount(self, proposal: traitlets.Bunch) -> float:
        check_number(f"{{type(self).__name__}}.amount", proposal.value, 0, LARGEST)
        return float(proposal.value)

    # measured in the page, so that nothing jumps when the figure appears
    @traitlets.default("height")
    def _height(self) -> int:
        return 190

    @traitlets.default("height_narrow")
    def _height_narrow(self) -> int:
        return 210
'''

WORDS = {
    "title": "A number and its square",
    "guide": "Move the slider.",
    "amount": "amount",
    "sentence": "The square of {value} is {square}.",
}


def start_figure(root: Path, kebab: str) -> str:
    """Write the figure's script, its class, its export and its words.

    Args:
        root: folder of the project.
        kebab: the figure's name in lower-case words joined by hyphens, such as ``gate-bench``.

    Returns:
        The name of the Python class, such as ``GateBench``.

    Raises:
        ValueError: the name cannot be used, or something of this name exists. Nothing is written.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", kebab):
        raise ValueError(
            f"{kebab!r} is no name: use lower-case words joined by hyphens, as in my-figure"
        )
    section = kebab.replace("-", "_")
    name = "".join(part.capitalize() for part in kebab.split("-"))
    folder = root / "widgets" / "src" / "figures" / kebab
    package = root / "contextbook" / "widgets"
    module, exports = package / f"_{section}.py", package / "__init__.py"
    table = root / "contextbook" / "words" / "en.json"
    taken = [str(path.relative_to(root)) for path in (folder, module) if path.exists()]
    if section in json.loads(table.read_text(encoding="utf-8")):
        taken.append(f"section {section!r} of {table.relative_to(root)}")
    if re.search(rf'"{name}"', exports.read_text(encoding="utf-8")):
        taken.append(f"{name} in {exports.relative_to(root)}")
    if taken:
        raise ValueError(f"choose another name than {kebab}: there is {', there is '.join(taken)}")
    _export(exports, name, f"_{section}")
    module.write_text(CLASS.format(name=name, kebab=kebab), encoding="utf-8")
    folder.mkdir(parents=True)
    (folder / "index.js").write_text(SCRIPT.format(section=section), encoding="utf-8")
    _add_words(table, section)
    return name


def _export(path: Path, name: str, module: str) -> None:
    """Enter the class in the package's three lists, each in its alphabetical place."""
    text = path.read_text(encoding="utf-8")
    imports = re.findall(r"^    from contextbook\.widgets\.\w+ import \w+\n", text, re.M)
    listed = re.search(r"__all__ = \[([^\]]*)\]", text)
    homes = re.search(r"_HOMES = \{\n([^}]*)\}", text)
    if not imports or not listed or not homes:
        raise ValueError(f"{path} has lost its lists of figures: __all__, _HOMES, the imports")
    statement = f"    from contextbook.widgets.{module} import {name}\n"
    text = text.replace("".join(imports), "".join(sorted([*imports, statement])))
    names = [*re.findall(r'"(\w+)"', listed.group(1)), name]
    # constants come first, as the linter sorts them
    names.sort(key=lambda each: (not each.isupper(), each))
    quoted = "".join(f'    "{each}",\n' for each in names)
    text = text.replace(listed.group(), f"__all__ = [\n{quoted}]")
    rows = sorted([*homes.group(1).splitlines(), f'    "{name}": "{module}",'])
    text = text.replace(homes.group(), "_HOMES = {\n" + "\n".join(rows) + "\n}")
    path.write_text(text, encoding="utf-8")


def _add_words(path: Path, section: str) -> None:
    table = json.loads(path.read_text(encoding="utf-8"))
    table[section] = WORDS
    path.write_text(json.dumps(table, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Start a figure and say what comes next."""
    parser = argparse.ArgumentParser(prog="tools.new_figure", description=__doc__)
    parser.add_argument("name")
    options = parser.parse_args(arguments)
    try:
        name = start_figure(ROOT, options.name)
    except ValueError as error:
        parser.error(str(error))
    print(f"edit widgets/src/figures/{options.name}/index.js, then: make widgets")
    print(f"in a chapter: from contextbook.widgets import {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
