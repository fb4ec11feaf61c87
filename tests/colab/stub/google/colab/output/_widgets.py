"""Where the manager of widgets comes from, once it was asked for."""

_installed_url: str | None = None
