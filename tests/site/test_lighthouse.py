"""The gates of the pages: bytes, requests, accessibility, best practices, SEO, layout shift."""

from typing import Any

import pytest
from playwright.sync_api import Page
from site_pages import CHAPTERS, PAGES, settle

from tools.site.audit import AT_MOST, Measurement, faults, line, measure, median, warnings

MEASURED = [PAGES[0], *CHAPTERS]
GOOD = Measurement(99, 100, 100, 100, 1500, 0.001, 50, 120, 10)


@pytest.mark.parametrize("name", MEASURED)
def test_lighthouse_finds_no_fault(served: str, name: str) -> None:
    measured = measure(f"{served}/{name}.html")
    print(f"\n{line(name, measured)}")
    for warning in warnings(measured):
        print(f"    missed: {warning}")
    assert faults(measured) == []


@pytest.mark.parametrize("name", PAGES)
def test_bytes_and_requests_over_the_network(page: Page, served: str, name: str) -> None:
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    sizes: list[float] = []
    models: set[str] = set()  # asked for when their figure is in sight, and not counted

    def asked(event: dict[str, Any]) -> None:
        if "/models/" in event["request"]["url"]:
            models.add(event["requestId"])

    def came(event: dict[str, Any]) -> None:
        if event["requestId"] not in models:
            sizes.append(event["encodedDataLength"])

    client.on("Network.requestWillBeSent", asked)
    client.on("Network.loadingFinished", came)
    page.goto(f"{served}/{name}.html")
    settle(page)
    kib = sum(sizes) / 1024
    print(f"\n{name}: {kib:.0f} KiB in {len(sizes)} requests")
    assert len(sizes) >= 3  # page, styles, script: or nothing has been counted
    assert kib <= AT_MOST["kib"]
    assert len(sizes) <= AT_MOST["requests"]


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
def test_gates_close(change: dict[str, Any], fault: str) -> None:
    broken = Measurement(**(vars(GOOD) | change))
    assert faults(GOOD) == []
    assert any(fault in found for found in faults(broken))


def test_speed_is_reported_and_breaks_nothing() -> None:
    slow = Measurement(**(vars(GOOD) | {"performance": 80, "blocking_ms": 900}))
    assert faults(slow) == []
    assert len(warnings(slow)) == 2


def test_medians_and_failures_of_all_runs() -> None:
    runs = [
        Measurement(**(vars(GOOD) | {"performance": p, "failed": (f,)}))
        for p, f in ((90, "a: A"), (99, "b: B"), (97, "a: A"))
    ]
    assert median(runs).performance == 97
    assert median(runs).failed == ("a: A", "b: B")
