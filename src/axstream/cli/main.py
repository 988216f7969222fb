"""The ``axstream`` command: take the arguments, call the command, turn errors into one line and an exit code.

Each command's module is imported only when it runs, so that ``--help`` and ``check`` start light.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from axstream import __version__
from axstream.cli.arguments import COMMANDS, make_parser, make_top
from axstream.cli.nearest import did_you_mean
from axstream.cli.output import OutputClosed, print_now
from axstream.errors import ActionDenied, ActionError, AxstreamError, UsageError

ACTING = ("run", "exec")
EXIT_USAGE, EXIT_ENDED, EXIT_DENIED, EXIT_FAILED, EXIT_INTERRUPTED = 2, 3, 4, 5, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a usage error leaves by ``SystemExit(2)``, as argparse does."""
    words = list(sys.argv[1:] if argv is None else argv)
    _make_streams_safe()
    try:
        return _dispatch(words)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (OutputClosed, BrokenPipeError) as error:  # quiet where only text was to be printed: `| head` is no mistake
        return (
            _say(words, error) if words[:1] and words[0] in ACTING and isinstance(error, OutputClosed) else EXIT_FAILED
        )
    except AxstreamError as error:
        return _say(words, error)
    except (
        Exception
    ) as fault:  # a fault of ours: Python's own exit code for it, 1, says that the model declared failure
        sys.excepthook(type(fault), fault, fault.__traceback__)
        print("axstream: this is a fault in axstream, not in what you did; please report it", file=sys.stderr)
        return EXIT_FAILED
    finally:
        _flush()


def _dispatch(words: list[str]) -> int:
    name = words[0] if words else ""
    if name in COMMANDS:
        parser = make_parser(name)
        parser.refuse_unknown(words[1:])
        args, rest = parser.parse_known_args(words[1:])
        if rest:
            parser.unknown(rest)
        module = import_module(f"axstream.cli.{name}")
        code: int = getattr(module, "execute" if name == "exec" else name)(args)
        return code
    top = make_top()
    if name and not name.startswith("-"):
        top.error(f"there is no command {name!r}{did_you_mean(name, COMMANDS) or ': ' + ', '.join(COMMANDS)}")
    args, rest = top.parse_known_args(words)
    if rest:
        top.unknown(rest)
    print_now(f"axstream {__version__}\n" if args.version else top.format_help())
    return 0


def exit_code(error: AxstreamError) -> int:
    """Return the exit code that stands for an error that ended the command."""
    match error:
        case UsageError():
            return EXIT_USAGE
        case ActionDenied():
            return EXIT_DENIED
        case ActionError():
            return EXIT_ENDED
        case _:
            return EXIT_FAILED


def _say(words: list[str], error: AxstreamError) -> int:
    from axstream.cli.terminal import printable

    name = f"axstream {words[0]}" if words and words[0] in COMMANDS else "axstream"
    print(f"{name}: {printable(' '.join(str(error).split()))}", file=sys.stderr)
    return exit_code(error)


def _make_streams_safe() -> None:
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:  # started with it closed: the next file opened would take its number, and its writes
            os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _flush() -> None:
    """Flush now, where a closed pipe can be told apart, and not at exit, where Python would print a traceback."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            fd = os.open(os.devnull, os.O_WRONLY)
            os.dup2(fd, stream.fileno())
            os.close(fd)
