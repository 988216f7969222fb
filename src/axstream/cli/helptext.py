"""The words of ``--help``: what each command does, examples, exit codes. No argument is defined here."""

from __future__ import annotations

from typing import NamedTuple


class Text(NamedTuple):
    """One command's help: the line in the list, the beginning, the end."""

    short: str
    long: str
    end: str


TOP = """\
A language model drives a computer while it is still speaking: each line of its
answer is performed on a real screen the moment its newline arrives."""

TOP_END = """\
first steps:
  axstream doctor                                     what works here, and how to mend the rest
  axstream observe --computer browser:example.com     what a model would see
  axstream run "Open the notes and write milk" --computer memory --model local

exit codes:
  0 done   1 the model declared failure   2 usage   3 aborted, exhausted or out of budget
  4 denied by policy   5 computer, model or trace error   130 interrupted   143 terminated"""

_RISKY = """\
risky acts (sending, deleting, paying, submitting …):
  --risky ask     a person answers on the terminal (the default where there is one)
  --risky hold    they wait until the stream is complete, then run
  --risky deny    they end the burst (the default where there is no terminal)
  --risky allow   they run like all others"""

_BROWSER = """\
whose browser:
  --computer browser:URL            one of its own, gone afterwards; with --profile DIR it is kept
  --computer browser:cdp=ADDRESS    one that runs, as it is, from the tab in front, and never
                                    closed; to have one: chromium --remote-debugging-port=9222
                                    --user-data-dir=DIR"""

COMMANDS = {
    "run": Text(
        "give a model a task on a computer",
        """\
Give a model a task on a computer: observe, ask the model, perform its lines as
they arrive, and again, until it is done. The result goes to standard output,
all else to standard error.""",
        f"""\
{_RISKY}

{_BROWSER}

examples:
  axstream run "Add milk to the list" --computer browser:localhost:3000 --model local
  axstream run "What is the total?" --computer browser:example.com/invoice \\
      --model openai:NAME --base-url http://localhost:8080/v1 --trace run.jsonl
  axstream run "Read the invoice" --computer browser:URL --model openai:NAME \\
      --result-schema invoice.schema.json
  axstream run "Order it again" --computer browser:shop.example --model openai:NAME \\
      --storage-state shop.json --save-storage shop.json

exit codes:
  0 done   1 the model declared failure   2 usage   3 aborted, exhausted or out of budget
  4 denied by policy   5 computer, model or trace error   130 interrupted   143 terminated""",
    ),
    "exec": Text(
        "perform a stream of actions, each line as it arrives",
        """\
Perform a stream from a file or standard input, each line the moment its newline
arrives. One burst: at `observe` it prints what the screen now shows and leaves.""",
        f"""\
{_RISKY}

{_BROWSER}

examples:
  my-model | axstream exec - --computer browser:example.com --json
  axstream exec plan.txt --computer memory --trace run.jsonl
  axstream exec plan.txt --computer browser:cdp=http://127.0.0.1:9222
  echo '{{"op":"open","target":"Notes"}}' | axstream exec --bare --computer memory

exit codes:
  0 done, or `observe`   1 the model declared failure   2 usage   3 aborted or exhausted
  4 denied by policy   5 broken stream, computer or trace error   130 interrupted   143 terminated""",
    ),
    "check": Text(
        "say what every line of a stream is; nothing runs",
        """\
Read a stream and say what every line of it is: narration, an action (and what
it would do), or why it is none and how to mend it. Nothing runs.""",
        """\
examples:
  axstream check answer.txt
  my-model | axstream check --json
  axstream check --bare actions.jsonl        lines with no fence around them
  axstream check --spec 0.1 answer.txt       without the additive fields

exit codes:
  0 nothing was rejected or truncated   1 something was   2 usage
  5 nobody read the output to its end""",
    ),
    "observe": Text(
        "print what a model would see of a computer",
        "Look at a computer once and print what a model would see, with the ids of its elements.",
        f"""\
{_BROWSER}

examples:
  axstream observe --computer memory
  axstream observe --computer browser:example.com --json
  axstream observe --computer browser:example.com --screenshot seen.png --marks
  axstream observe --computer browser:example.com --viewport 390x844 --device-scale-factor 3
  axstream observe --computer browser:cdp=http://127.0.0.1:9222

exit codes:
  0 observed   2 usage   5 the computer failed   130 interrupted""",
    ),
    "spec": Text(
        "print the prompt, schema or grammar of the format",
        """\
Print what is made from the catalogue of actions: the manual that models are
given, the JSON Schema of a line, the grammar of an answer.""",
        """\
examples:
  axstream spec prompt
  axstream spec schema > axstream.schema.json
  axstream spec grammar --format gbnf        for llama.cpp; lark for llguidance

exit codes:
  0 printed   2 usage""",
    ),
    "doctor": Text(
        "what is installed, what works here, how to mend the rest",
        """\
Say what is installed and what works here (a browser is really started), and
give the command that mends what does not.""",
        """\
exit codes:
  0 the core works   5 it does not""",
    ),
}
