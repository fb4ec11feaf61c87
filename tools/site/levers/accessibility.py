"""Mends to the theme's HTML that axe-core and a screen reader ask for."""

from tools.site.page import Page

# Places the theme fills on other sites, and a second table of contents for printing.
LEFT_OVER = (
    "#ethical-ad-placement",
    "#jb-print-docs-body",
    ".pst-async-banner-revealer",
    "footer.bd-footer",
)


def drop_left_overs(page: Page) -> None:
    """Take out the theme's empty places."""
    for selector in LEFT_OVER:
        for element in page.soup.select(selector):
            element.decompose()


def name_controls(page: Page) -> None:
    """Names that say what a control does, and that hold the words a reader sees on it."""
    soup = page.soup
    for button in soup.select("button.search-button-field"):
        button["aria-label"] = " ".join(button.get_text(" ").split()).replace(" + ", "+")
        del button["title"]
    for summary in soup.select("summary[aria-label]"):
        del summary["aria-label"]
    for button in soup.select(".primary-toggle"):
        button["aria-label"] = button["title"] = "Chapters"
    for button in soup.select(".secondary-toggle"):
        button["aria-label"] = button["title"] = "On this page"
    for switch in soup.select(".theme-switch-button"):
        switch["aria-label"] = switch["title"] = "Light, dark, or as the system"
        for icon in switch.select("[title]"):
            del icon["title"]
    for element in soup.select("[data-bs-toggle=tooltip]"):
        for attribute in [key for key in element.attrs if key.startswith("data-bs-")]:
            del element[attribute]


def mark_regions(page: Page) -> None:
    """Every part of the page lies in a landmark with a name of its own."""
    for sidebar in page.soup.select("#pst-primary-sidebar"):
        sidebar["role"] = "navigation"
        sidebar["aria-label"] = "Book"
    for dialog, label in (("primary", "Chapters"), ("secondary", "On this page")):
        for modal in page.soup.select(f"#pst-{dialog}-sidebar-modal"):
            modal["aria-label"] = label
    for dialog_tag in page.soup.select("#pst-search-dialog"):
        dialog_tag["aria-label"] = "Search"


def drop_citation_roles(page: Page) -> None:
    """Roles that docutils writes on citations, which ARIA does not allow there."""
    selector = "[role=doc-biblioentry],[role=doc-backlink],div.citation-list[role=list]"
    for element in page.soup.select(selector):
        del element["role"]


def word_cells(page: Page) -> None:
    """Say "code" where the theme says "code cell source"."""
    for title in page.soup.select("details.hide > summary > p"):
        title.string = (
            title.get_text()
            .replace("code cell source", "the code")
            .replace("code cell output", "the output")
            .replace("code cell content", "code and output")
        )
