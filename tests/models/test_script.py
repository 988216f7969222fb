"""Claims about ``script:FILE``: which answers a file holds, and when each piece of them comes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from axstream.errors import ModelError, StreamBroken, UsageError
from axstream.models.base import Chunk, Message, Prompt, Usage
from axstream.models.registry import open_model
from axstream.models.script import SEPARATOR, ScriptModel, open_script, read_script

PROMPT = Prompt(messages=(Message(role="system", content="12345678"), Message(role="user", content="1234")))


class FakeTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


async def play(model: ScriptModel, time: FakeTime | None = None) -> list[tuple[float, Chunk]]:
    async with model.stream(PROMPT) as chunks:
        return [((time.now - 100.0) if time else 0.0, chunk) async for chunk in chunks]


def text_of(played: list[tuple[float, Chunk]]) -> str:
    return "".join(chunk.text for _, chunk in played)


def write(folder: Path, text: str) -> str:
    path = folder / "answer.txt"
    path.write_bytes(text.encode())
    return str(path)


async def test_an_answer_comes_back_to_the_character(tmp_path: Path) -> None:
    text = 'I look.\r\n```json\n{"op":"type","text":"é 👩‍🚀"}\n{"op":"obs'
    played = await play(open_script(write(tmp_path, text)))
    assert text_of(played) == text
    assert played[-1][1] == Chunk(
        finish="stop", usage=Usage(prompt_tokens=3, completion_tokens=len(played) - 1, exact=False)
    )


async def test_without_a_pace_nothing_sleeps() -> None:
    time = FakeTime()
    await play(ScriptModel(["x" * 400], clock=time.clock, sleep=time.sleep))
    assert time.slept == []


async def test_a_pace_of_75_gives_75_tokens_of_four_characters_a_second() -> None:
    time = FakeTime()
    played = await play(ScriptModel(["abcd" * 150], pace=75, clock=time.clock, sleep=time.sleep), time)
    moments = [moment for moment, chunk in played if chunk.text]
    assert len(moments) == 150
    assert moments == pytest.approx([(i + 1) / 75 for i in range(150)])


async def test_a_pace_does_not_drift_behind_a_slow_reader() -> None:
    time = FakeTime()
    model = ScriptModel(["abcd" * 10], pace=10, clock=time.clock, sleep=time.sleep)
    moments = []
    async with model.stream(PROMPT) as chunks:
        async for _ in chunks:
            moments.append(time.now - 100.0)
            time.now += 0.05
    assert moments[9] == pytest.approx(1.0)


async def test_each_burst_gets_the_next_answer_and_keeps_its_last_newline(tmp_path: Path) -> None:
    model = open_script(write(tmp_path, f"one\n{SEPARATOR}\ntwo\n{SEPARATOR} \r\nthree"))
    assert [text_of(await play(model)) for _ in range(3)] == ["one\n", "two\n", "three"]


async def test_answers_that_run_out_are_a_model_error_that_says_so(tmp_path: Path) -> None:
    path = write(tmp_path, "one\n")
    model = open_script(path)
    await play(model)
    with pytest.raises(ModelError) as caught:
        await play(model)
    assert str(caught.value) == (
        f"script:{path} holds 1 answer and the run asks for one more: add it after a line `{SEPARATOR}`"
    )
    assert not caught.value.retry


def test_a_separator_at_the_end_begins_no_answer_and_one_between_may_hold_nothing() -> None:
    assert read_script(f"one\n{SEPARATOR}\n", "f") == ("one\n",)
    assert read_script(f"one\n{SEPARATOR}\n{SEPARATOR}\ntwo", "f") == ("one\n", "", "two")


@pytest.mark.parametrize("text", ["", "  \n\n"])
def test_a_script_that_holds_nothing_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="holds no answer"):
        read_script(text, "f")


RECORDING = (
    '{"t":0.5,"reasoning":"Hm."}\n'
    '{"t":0.67,"text":"```json\\n"}\n'
    '{"text":"{\\"op\\":\\"observe\\"}\\n"}\n'
    '\n{"t":1.5,"text":"```\\n","finish":"length","usage":{"prompt_tokens":7,"completion_tokens":8}}\n'
)


async def test_a_recording_comes_at_its_own_times_chunk_for_chunk(tmp_path: Path) -> None:
    time = FakeTime()
    model = open_script(write(tmp_path, RECORDING), clock=time.clock, sleep=time.sleep)
    played = await play(model, time)
    assert [(round(moment, 2), chunk) for moment, chunk in played] == [
        (0.5, Chunk(reasoning="Hm.")),
        (0.67, Chunk(text="```json\n")),
        (0.67, Chunk(text='{"op":"observe"}\n')),
        (1.5, Chunk(text="```\n")),
        (1.5, Chunk(finish="length", usage=Usage(prompt_tokens=7, completion_tokens=8))),
    ]


async def test_an_array_is_the_same_recording() -> None:
    lines = [line for line in RECORDING.splitlines() if line]
    assert read_script(f"[{','.join(lines)}]", "f") == read_script(RECORDING, "f")


async def test_a_pace_stands_over_a_recordings_times() -> None:
    time = FakeTime()
    model = ScriptModel(read_script('{"t":90,"text":"abcdefgh"}', "f"), pace=4, clock=time.clock, sleep=time.sleep)
    assert [moment for moment, chunk in await play(model, time) if chunk.text] == [0.25, 0.5]


async def test_recordings_and_text_may_stand_in_one_script() -> None:
    script = f'{{"t":0,"text":"one"}}\n{SEPARATOR}\ntwo\n{SEPARATOR}\n[1] a note\n'
    model = ScriptModel(read_script(script, "f"))
    assert [text_of(await play(model)) for _ in range(3)] == ["one", "two\n", "[1] a note\n"]


async def test_a_recorded_error_breaks_the_stream_where_it_stands() -> None:
    """E4: before the first chunk it may be asked again, after it the stream is broken."""
    script = f'{{"text":"one"}}\n{{"error":"reset by peer"}}\n{SEPARATOR}\n{{"t":0,"error":"overloaded"}}\n'
    model = ScriptModel(read_script(script, "f"), name="script:f")
    async with model.stream(PROMPT) as chunks:
        assert (await anext(chunks)).text == "one"
        with pytest.raises(StreamBroken, match="script:f: reset by peer"):
            await anext(chunks)
    with pytest.raises(ModelError, match="overloaded") as caught:
        await play(model)
    assert type(caught.value) is ModelError


def test_bare_action_lines_are_text_and_no_recording() -> None:
    bare = '{"op":"type","text":"milk"}\n{"op":"observe"}\n'
    assert read_script(bare, "f") == (bare,)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (f'one\n{SEPARATOR}\n{{"t":0,"text":"a"}}\nnonsense\n', "f, line 4 is not a recorded chunk"),
        ('{"t":0,"text":5}\n', "f, line 1 is not a recorded chunk: Expected `str`, got `int`"),
        ('{"t":2,"text":"a"}\n\n{"t":1,"text":"b"}\n', "f, line 3: t is 1 after 2"),
        ('{"t":-1,"text":"a"}\n', "f, line 1: t is -1"),
        ('{"t":0,"txt":"a"}\n', "txt"),
        ('[{"t":0,"text":5}]', "f, the array in line 1 is no recording: Expected `str`"),
        ('[{"t":0,"text":"a"}', "f, the array in line 1 is no recording: Input data was truncated"),
    ],
)
def test_a_recording_with_an_error_names_its_line(script: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_script(script, "f")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_leaving_early_ends_the_answer() -> None:
    """E3."""
    time = FakeTime()
    model = ScriptModel(["abcd" * 100, "next"], pace=1, clock=time.clock, sleep=time.sleep)
    async with model.stream(PROMPT) as chunks:
        await anext(chunks)
    assert len(time.slept) == 1
    with pytest.raises(StopAsyncIteration):
        await anext(chunks)
    assert text_of(await play(model)) == "next"
    await model.aclose()


def test_a_missing_file_is_one_line_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        open_model(f"script:{tmp_path}/none.txt")
    assert str(caught.value) == f"cannot read the script {tmp_path}/none.txt: No such file or directory"


def test_a_file_that_is_not_utf8_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"ok \xff")
    with pytest.raises(UsageError, match=r"is not UTF-8 \(byte 3\)"):
        open_script(str(tmp_path / "a"))


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("?pace=fast", "pace is 'fast'"),
        ("?pace=0", "pace is 0"),
        ("?pace=nan", "pace is nan"),
        ("?speed=2", "no option 'speed'"),
    ],
)
def test_a_wrong_option_is_a_usage_error(tmp_path: Path, option: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_script(write(tmp_path, "one") + option)


def test_no_file_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="script:FILE"):
        open_model("script:")


async def test_the_argument_pace_goes_before_the_one_in_the_name(tmp_path: Path) -> None:
    time = FakeTime()
    path = write(tmp_path, "abcd")
    await play(open_script(path + "?pace=2", clock=time.clock, sleep=time.sleep))
    await play(open_script(path + "?pace=2", pace=8, clock=time.clock, sleep=time.sleep))
    assert time.slept == [0.5, 0.125]


async def test_a_question_mark_in_a_file_name_is_no_option(tmp_path: Path) -> None:
    (tmp_path / "what?.txt").write_text("one")
    assert text_of(await play(open_script(str(tmp_path / "what?.txt")))) == "one"


async def test_a_recording_made_by_json_dumps_is_read(tmp_path: Path) -> None:
    lines = [json.dumps({"t": i / 10, "text": piece}) for i, piece in enumerate(["a", "\u2028", "ß"])]
    assert (
        text_of(
            await play(
                ScriptModel(read_script("\r\n".join(lines), "f"), clock=FakeTime().clock, sleep=FakeTime().sleep)
            )
        )
        == "a\u2028ß"
    )
