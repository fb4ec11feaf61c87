"""A visit to a page in a real browser: what a reader gets, and what stands in a reader's way."""
