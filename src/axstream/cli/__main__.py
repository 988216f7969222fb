"""``python -m axstream.cli``: the command, where no script was installed. Nothing else."""

import sys

from axstream.cli.main import main

sys.exit(main())
