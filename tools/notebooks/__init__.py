"""The notebook builder: ``chapters_src/<language>/*.md`` to executed ``notebooks/…/*.ipynb``.

A chapter passes through the modules in this order: ``front`` and ``source`` read it, ``quote``
fills in quoted code, ``names`` and ``legible`` check it, ``assemble`` makes the notebook (with the
hash from ``imports``), ``execute`` runs it, ``stable`` makes its bytes repeatable, and ``build``
decides what to rebuild and writes it. ``python -m tools.notebooks --help`` shows the command.
"""
