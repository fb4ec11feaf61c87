"""Referees: does a definition, perhaps edited by a reader, do what a known library's does?

One module for each of the package's modules that chapters quote. A ``check_…`` takes the
definition and returns a verdict that a notebook shows: what was compared, or what differs and why.
"""
