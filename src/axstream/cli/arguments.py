"""What the command line may hold, and the help that teaches it. Nothing is run, and nothing heavy imported, here."""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from axstream.cli import helptext
from axstream.cli.nearest import did_you_mean
from axstream.cli.output import print_now

COMMANDS = ("run", "exec", "check", "observe", "spec", "doctor")
RISKY = ("allow", "ask", "hold", "deny")
SPECS = ("0.1", "0.2")
#: What Chromium, Playwright and its command call the same.
PEERS = {
    "--cdp": "--computer browser:cdp=ADDRESS",
    "--cdp-endpoint": "--computer browser:cdp=ADDRESS",
    "--remote-debugging-port": "--computer browser:cdp=PORT",
    "--user-data-dir": "--profile",
    "--load-storage": "--storage-state",
    "--viewport-size": "--viewport",
    "--window-size": "--viewport",
    "--lang": "--locale",
    "--timezone-id": "--timezone",
    "--proxy-server": "--proxy",
    "--header": "--extra-http-header",
    "--grant-permissions": "--permissions",
}
WIDTH = 98  # of a help text: the widest example, and still readable side by side


class _Help(argparse.RawDescriptionHelpFormatter):
    """argparse's, which would load a lot only to learn how wide the terminal is, once for each argument."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=WIDTH)


class Parser(argparse.ArgumentParser):
    """argparse whose errors are one clear line that names the nearest, and exit 2."""

    def __init__(self, **options: object) -> None:
        super().__init__(
            formatter_class=_Help,
            allow_abbrev=False,
            **options,  # type: ignore[arg-type]  # argparse's own keywords, handed through as they are
        )

    def error(self, message: str) -> NoReturn:
        """Print one line and leave with exit code 2."""
        line = " ".join(message.split())
        print(f"{self.prog}: {line} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)

    def print_help(self, file: object = None) -> None:
        """Print the help to standard output; a full disk is an error, which argparse would swallow."""
        print_now(self.format_help())

    def refuse_unknown(self, words: Sequence[str]) -> None:
        """Refuse a misspelt long option before argparse complains of the one that it was meant to be."""
        known = {option for action in self._actions for option in action.option_strings}
        for word in words:
            if word == "--":
                return
            if word.startswith("--") and word.partition("=")[0] not in known:
                self.unknown([word])

    def unknown(self, words: Sequence[str]) -> NoReturn:
        """Refuse words that no argument takes."""
        word = words[0]
        name = word.partition("=")[0]
        if name.startswith("-") and name != "-":
            known = [option for action in self._actions for option in action.option_strings if option.startswith("--")]
            ours = PEERS.get(name, "")
            hint = f"; did you mean {ours}?" if ours.split(" ")[0] in known else did_you_mean(name, known)
            self.error(f"there is no option {name!r}{hint}")
        self.error(f"{word!r} is one argument too many: put quotes around what belongs together")


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """Return an argparse type that takes these names, and names the nearest for another."""

    def take(text: str) -> str:
        if text in names:
            return text
        said = did_you_mean(text, names)
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(names)}{said}")

    return take


def number(*, above: float = -math.inf, least: float = -math.inf) -> Callable[[str], float]:
    """Return an argparse type for a finite number over a bound."""

    def take(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or value <= above or value < least:
            bound = (
                f" over {above:g}"
                if math.isfinite(above)
                else f" of at least {least:g}"
                if math.isfinite(least)
                else ""
            )
            raise argparse.ArgumentTypeError(f"{text!r} is not a number{bound}")
        return value

    return take


def whole(*, least: int) -> Callable[[str], int]:
    """Return an argparse type for a whole number over a bound."""

    def take(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return value

    return take


def tags(text: str) -> frozenset[str]:
    """Return the tags of ``--strict-tags``, separated by commas."""
    found = frozenset(tag.strip() for tag in text.split(",") if tag.strip())
    if not found:
        raise argparse.ArgumentTypeError("give at least one tag, as in --strict-tags spec,jsonl")
    return found


def upload(text: str) -> str:
    """Return the path of ``--upload``: something that is there, or a glob."""
    if not (os.path.exists(text) or any(letter in text for letter in "*?[")):
        raise argparse.ArgumentTypeError(f"{text!r} is not there: name a file, a folder, or a glob in quotes")
    return text


def names(text: str) -> list[str]:
    """Return the names of a list separated by commas."""
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError("give at least one name, as clipboard-read")
    return found


def header(text: str) -> tuple[str, str]:
    """Return the name and the value of ``NAME: VALUE``."""
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        raise argparse.ArgumentTypeError("write it like 'X-Team: blue'")  # the value may be a secret
    return name.strip(), value.strip()


def credentials(text: str) -> tuple[str, str]:
    """Return the variable and the origin of ``VAR`` or ``VAR@ORIGIN``; what stands there may be a secret by mistake."""
    name, _, origin = text.partition("@")
    if not name.isidentifier() or not name.isascii():
        raise argparse.ArgumentTypeError(
            "name an environment variable that holds user:password; everyone on the machine can read a command line"
        )
    return name, origin


def make_top() -> Parser:
    """Return the parser of ``axstream`` itself: its help and its version; a command's arguments have their own."""
    listed = "".join(f"  {name:9} {helptext.COMMANDS[name].short}\n" for name in COMMANDS)
    top = Parser(
        prog="axstream",
        usage="axstream COMMAND ... | axstream COMMAND --help",
        description=f"{helptext.TOP}\n\ncommands:\n{listed}",
        epilog=helptext.TOP_END,
    )
    top.add_argument("--version", action="store_true", help="print the version and leave")
    return top


def make_parser(name: str) -> Parser:
    """Return the parser of one command's arguments."""
    text = helptext.COMMANDS[name]
    parser = Parser(prog=f"axstream {name}", description=text.long, epilog=text.end)
    _ARGUMENTS[name](parser)
    return parser


def _run(parser: Parser) -> None:
    parser.add_argument("task", metavar="TASK", help="what is to be done, in quotes")
    _computer(parser)
    parser.add_argument(
        "--model", required=True, metavar="M", help="script:FILE, openai:NAME, or local (the bundled one)"
    )
    parser.add_argument("--base-url", metavar="URL", help="the server for openai:NAME, as http://localhost:8080/v1")
    parser.add_argument("--seed", type=whole(least=0), metavar="N", help="the seed that the model samples with")
    parser.add_argument(
        "--temperature", type=number(least=0), metavar="X", help="how freely the model samples; 0 is not at all"
    )
    parser.add_argument("--pace", type=number(above=0), metavar="N", help="tokens a second at which script: speaks")
    parser.add_argument("--no-grammar", action="store_true", help="do not bind the model's output to the grammar")
    parser.add_argument("--result-schema", metavar="FILE", help="a JSON Schema that the result must fit")
    parser.add_argument("--max-bursts", type=whole(least=1), metavar="N", help="stop after N answers of the model (25)")
    parser.add_argument("--max-actions", type=whole(least=1), metavar="N", help="stop after N actions (200)")
    parser.add_argument("--max-seconds", type=number(above=0), metavar="S", help="stop after S seconds (600)")
    parser.add_argument("--max-tokens", type=whole(least=1), metavar="N", help="stop after N tokens (200000)")
    _gate(parser)
    _spec_option(parser)


def _exec(parser: Parser) -> None:
    _input(parser)
    _computer(parser)
    parser.add_argument(
        "--json", action="store_true", help="one JSON line an event on standard output, flushed at once"
    )
    parser.add_argument("--max-actions", type=whole(least=1), metavar="N", help="stop after N actions (200)")
    parser.add_argument("--max-seconds", type=number(above=0), metavar="S", help="stop after S seconds (no limit)")
    _gate(parser)
    _framing(parser)


def _check(parser: Parser) -> None:
    _input(parser)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line on standard output, flushed at once"
    )
    _framing(parser)


def _observe(parser: Parser) -> None:
    _computer(parser)
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object: the outline, the elements, their places"
    )
    parser.add_argument("--max-tokens", type=whole(least=100), metavar="N", help="about how long the outline may be")
    parser.add_argument(
        "--screenshot", metavar="FILE", help="write a picture (PNG) of the screen too; replaces the file"
    )
    parser.add_argument("--marks", action="store_true", help="draw the elements' ids on the picture (needs Pillow)")


def _spec(parser: Parser) -> None:
    parser.add_argument(
        "what", metavar="WHAT", type=one_of(("prompt", "schema", "grammar")), help="prompt, schema or grammar"
    )
    parser.add_argument(
        "--format",
        metavar="F",
        type=one_of(("gbnf", "lark", "json")),
        help="of the grammar: gbnf (default) or lark; json wraps it",
    )
    _spec_option(parser)


def _doctor(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the account")
    parser.add_argument("--executable", metavar="FILE", help="the Chromium to try, instead of the one found")


def _input(parser: Parser) -> None:
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="the stream; - or nothing is standard input"
    )


def _computer(parser: Parser) -> None:
    parser.add_argument(
        "--computer",
        required=True,
        metavar="C",
        help="memory, memory:SCENE.json, browser, browser:URL, or browser:cdp=ADDRESS for one that runs",
    )
    _browser(parser.add_argument_group("the browser"))
    _context(parser.add_argument_group("what pages see of it (for one that is started)"))


def _browser(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--headed", action="store_true", help="show its window")
    group.add_argument("--executable", metavar="FILE", help="the Chromium to start, instead of the one found")
    group.add_argument("--profile", metavar="DIR", help="a folder that keeps cookies and storage from run to run")
    group.add_argument("--storage-state", metavar="FILE", help="cookies and local storage to begin with (JSON)")
    group.add_argument(
        "--save-storage", metavar="FILE", help="write cookies and local storage there at the end; they sign one in"
    )
    group.add_argument(
        "--downloads", metavar="DIR", help="the folder for what pages download (one is made, and named, where needed)"
    )
    group.add_argument(
        "--proxy",
        metavar="URL",
        help="as http://127.0.0.1:8080; its user:password from AXSTREAM_PROXY_AUTH",
    )
    group.add_argument(
        "--http-credentials",
        type=credentials,
        metavar="VAR[@ORIGIN]",
        help="the environment variable with user:password for the server of browser:URL, or of ORIGIN, and no other",
    )
    group.add_argument("--ignore-https-errors", action="store_true", help="accept certificates that nobody vouches for")
    group.add_argument(
        "--permissions",
        type=names,
        metavar="NAMES",
        help="what pages may do without asking, as clipboard-read,notifications (nothing)",
    )


def _context(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--viewport", metavar="WxH", help="the page's size in CSS pixels (1280x720)")
    group.add_argument("--device-scale-factor", type=number(above=0), metavar="N", help="device pixels to a CSS pixel")
    group.add_argument("--locale", metavar="TAG", help="the language, as de-DE")
    group.add_argument("--timezone", metavar="ZONE", help="where it is, as Europe/Berlin")
    group.add_argument("--user-agent", metavar="TEXT", help="what it names itself")
    group.add_argument("--color-scheme", metavar="light|dark", help="the colours that the person likes")
    group.add_argument(
        "--extra-http-header",
        type=header,
        action="append",
        default=[],
        metavar="'NAME: VALUE'",
        help="sent with every request to every site; may be repeated",
    )


def _gate(parser: Parser) -> None:
    parser.add_argument(
        "--risky",
        type=one_of(RISKY),
        metavar="allow|ask|hold|deny",
        help="what happens to risky acts; default: ask on the terminal, deny where there is none",
    )
    parser.add_argument(
        "--ask-timeout",
        type=number(above=0),
        default=60.0,
        metavar="S",
        help="seconds until an unanswered question is a no (60)",
    )
    parser.add_argument(
        "--upload",
        type=upload,
        action="append",
        default=[],
        metavar="PATH",
        help="a file, folder or glob that may be given to a page that asks for files; may be repeated (none)",
    )
    parser.add_argument(
        "--trace", metavar="FILE", help="write the record, one JSON line an event; replaces an older trace"
    )


def _framing(parser: Parser) -> None:
    parser.add_argument("--bare", action="store_true", help="read the input as if inside a fence")
    parser.add_argument(
        "--strict-tags", type=tags, metavar="TAGS", help="only fences with one of these tags count (comma-separated)"
    )
    parser.add_argument(
        "--keep-reasoning", action="store_true", help="do not take a leading <think>…</think> out first"
    )
    _spec_option(parser)


def _spec_option(parser: Parser) -> None:
    parser.add_argument(
        "--spec", type=one_of(SPECS), default="0.2", metavar="0.1|0.2", help="the format's version (0.2)"
    )


_ARGUMENTS: dict[str, Callable[[Parser], None]] = {
    "run": _run,
    "exec": _exec,
    "check": _check,
    "observe": _observe,
    "spec": _spec,
    "doctor": _doctor,
}
