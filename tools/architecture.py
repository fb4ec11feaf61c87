"""`python -m tools.architecture`: draw how the book is made, for the page *About this book*."""

from pathlib import Path

from contextbook.figures import Drawing, show

PICTURE = Path(__file__).parents[1] / "book" / "images" / "architecture.svg"
ALT = (
    "How the book is made, from left to right. The package contextbook and the chapters' sources "
    "go into the notebook builder; it makes the notebooks, which go to Colab, to nbval and to the "
    "site builder. The builder of figures turns JavaScript into bundles that go into the package. "
    "Models leave the notebooks as files; the site takes notebooks, bundles and models."
)


def draw() -> str:
    """The drawing as SVG."""
    d = Drawing()
    wide = 150
    chapters = d.box("chapters_src\nMarkdown", at=(0, 0), width=wide, height=48, role="input")
    package = d.box("contextbook\nthe code, tested", at=(0, -110), width=wide, height=48)
    sources = d.box("widgets\nJavaScript", at=(0, -220), width=wide, height=48, role="input")
    builder = d.box(
        "tools.notebooks\nquotes and executes", at=(230, -55), width=wide, height=48, role="gate"
    )
    bundler = d.box(
        "esbuild\nbundles the figures", at=(230, -220), width=wide, height=48, role="gate"
    )
    notebooks = d.box(
        "notebooks\nwith outputs", at=(460, -55), width=wide, height=48, role="hidden"
    )
    models = d.box("models\nhalf precision", at=(460, -150), width=wide, height=48, role="cell")
    site = d.box("tools.site\nthe website", at=(690, -150), width=wide, height=48, role="gate")
    colab = d.box("Colab\nedit and train", at=(690, 0), width=wide, height=48)
    nbval = d.box("nbval\nruns it again", at=(690, -75), width=wide, height=48)
    d.arrow(chapters, builder)
    d.arrow(package, builder)
    d.arrow(sources, bundler)
    d.arrow(builder, notebooks)
    d.arrow(notebooks, models)
    d.arrow(notebooks, colab)
    d.arrow(notebooks, nbval)
    d.arrow(notebooks.right, site.left, via=[(575, -55), (575, -150)])
    d.arrow(models, site)
    d.arrow(bundler.right, site.bottom, via=[(690, -220)])
    return str(show(d, ALT)._repr_mimebundle_()[0]["image/svg+xml"])


if __name__ == "__main__":
    PICTURE.write_text(draw() + "\n", encoding="utf-8")
    print(PICTURE)
