"""The code of *How Context Travels: from tokens to the Transformer*.

Modules stand in the order of the book. Importing the package imports none of them, so that
the website can be built, and a figure's words read, where torch is not installed.
"""

__version__ = "0.1.0"
