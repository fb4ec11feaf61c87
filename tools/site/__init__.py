"""Builds the website: Jupyter Book with formulas as MathML, then a series of small levers.

`python -m tools.site` builds it, `python -m tools.site.audit` measures its pages.
"""
