"""Colab shows a widget of others only after this was called, which anywidget does by itself."""

from google.colab.output import _widgets


def enable_custom_widget_manager() -> None:
    _widgets._installed_url = "https://example.invalid/manager.js"
