"""The record of a run: its events, how they are written and read back. No screen and no model."""
