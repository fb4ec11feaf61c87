"""The audit: its table, its bounds, and Lighthouse on one page.

Every page's bytes, requests, layout shift and axe-core findings are held by `test_pages`;
Lighthouse on all of them takes minutes, and is left to `make audit` and to the scheduled workflow.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from site_pages import PAGES

from tools.site.audit import MEASURED, SEEN, audit, main, row
from tools.site.lighthouse import Measurement, faults, median, warnings
from tools.site.visiting.visit import Visit

GOOD = Measurement(99, 100, 100, 100, 1500, 0.001, 50, 120, 10)
CLEAN = Visit(
    name="book/one",
    kib=54.2,
    requests=7,
    model_kib=0,
    blocking_ms=20,
    shift=0.001,
    trouble=(),
    axe={"light-1280": [], "dark-1280": []},
    outside={1280: [], 360: []},
    unmoved=[],
    headings=["One"],
    broken=[],
    link_colour="rgb(0, 0, 0)",
    texts=[("One", "en")],
)


def test_a_page_is_audited_with_lighthouse(
    browser: Browser, served: str, capsys: pytest.CaptureFixture[str]
) -> None:
    held = audit(browser, served, PAGES[0], runs=1)
    said = capsys.readouterr().out
    print(said)
    assert held, said
    assert len(said.splitlines()[0].split()) == len((SEEN + MEASURED).replace(" ms", "").split())


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"kib": 201.0}, "kib is 201, must be at most 200"),
        ({"requests": 15}, "requests is 15, must be at most 14"),
        ({"seo": 92}, "seo is 92, must be at least 100"),
        ({"shift": 0.02}, "shift is 0.02, must be at most 0.01"),
        ({"failed": ("meta-description: Document has no description",)}, "meta-description"),
    ],
)
def test_bounds_of_lighthouse(change: dict[str, Any], fault: str) -> None:
    assert faults(GOOD) == []
    assert any(fault in found for found in faults(replace(GOOD, **change)))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"kib": 201.0}, "kib is 201, must be at most 200"),
        ({"shift": 0.02}, "shift is 0.02, must be at most 0.01"),
        ({"trouble": ("console error: x",)}, "console error: x"),
        (
            {"axe": {"dark-360": ["serious color-contrast: <p>"]}},
            "dark-360: serious color-contrast",
        ),
        ({"outside": {360: ["<table>"]}}, "beyond 360 px: <table>"),
        ({"unmoved": ["word-map"]}, "no key moves word-map"),
        ({"broken": ["plot.svg"]}, "plot.svg"),
    ],
)
def test_bounds_of_a_visit(change: dict[str, Any], fault: str) -> None:
    assert CLEAN.faults == []
    assert any(fault in found for found in replace(CLEAN, **change).faults)


def test_rows_stand_below_their_headings() -> None:
    seen = replace(CLEAN, axe={"light-1280": ["a", "b"], "dark-1280": ["a"]})
    assert row(seen).split() == ["book/one", "54", "7", "0", "2", "0"]
    assert len(row(seen)) == len(SEEN)
    assert len(row(seen, GOOD)) == len(SEEN + MEASURED)


def test_speed_is_reported_and_breaks_nothing() -> None:
    slow = replace(GOOD, performance=80, blocking_ms=900)
    assert faults(slow) == []
    assert len(warnings(slow)) == 2
    assert replace(CLEAN, blocking_ms=900).faults == []
    assert len(replace(CLEAN, blocking_ms=900).warnings) == 1


def test_medians_and_failures_of_all_runs() -> None:
    runs = [
        replace(GOOD, performance=p, failed=(f,))
        for p, f in ((90, "a: A"), (99, "b: B"), (97, "a: A"))
    ]
    assert median(runs).performance == 97
    assert median(runs).failed == ("a: A", "b: B")


def test_what_cannot_be_audited_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["book/lost", "--fast", "--site", str(tmp_path)]) == 1
    assert f"there is no page book/lost in {tmp_path}" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--runs", "0"])
    assert "--runs must be at least 1, got 0" in capsys.readouterr().err
