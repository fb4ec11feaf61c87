"""Measurements of speed, side by side with peers: ``python -m benchmarks.<name>``."""
