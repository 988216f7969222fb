"""Lets ``python -m axstream`` be the command; nothing else lives here."""

import sys

from axstream.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
