"""The browser computer, on a real Chromium."""
