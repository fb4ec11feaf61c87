"""The part of Colab that the set-up cell and anywidget look for."""

from google.colab import output as output
