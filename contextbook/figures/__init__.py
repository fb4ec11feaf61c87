"""Pictures of the book: plots in one style, and schematics.

``fig, ax = plot()``, draw with matplotlib as usual, and end the cell with
``show(fig, "what is to be seen, in a sentence")``. A schematic is a ``Drawing()``, shown likewise.
"""

from contextbook.figures.drawing import Drawing
from contextbook.figures.palette import PALETTE
from contextbook.figures.parts import label_lines, matrix
from contextbook.figures.plots import Picture, plot, show

__all__ = ["PALETTE", "Drawing", "Picture", "label_lines", "matrix", "plot", "show"]
