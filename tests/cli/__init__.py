"""The command, mostly as a real process."""
