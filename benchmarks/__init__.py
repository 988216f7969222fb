"""Figures of ours with the peers' beside them, measured in one run: ``make bench``. No claims, no tests."""
