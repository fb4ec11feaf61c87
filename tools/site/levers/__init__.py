"""The levers: each does one small thing to a page, or to the site's assets, and has its test."""
