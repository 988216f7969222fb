"""Text into editors of every build: those with a model of their own, with a hidden field, with the platform's commands.

The pages here have the event patterns of the common editors and no line of theirs.
"""

from __future__ import annotations

import time

import anyio
import pytest

from axstream.computer.base import ClickAt, TypeText
from axstream.computer.browser.typist import KEYED
from tests.computer.browser.conftest import OpenPage
from tests.computer.browser.driving import Driver
from tests.computer.browser.gallery import Site

#: Everything that has gone wrong in some editor: emoji of several parts, CJK, right to left, combining marks, quotes.
HARD = 'Grüße 👩‍👩‍👧 日本語 שלום e\u0301 "it\'s" <b>&amp;</b>  two'

#: An editor that lets the browser change nothing: each `beforeinput` goes into a list of lines, which is drawn anew.
#: It knows the selection from `selectionchange` only, some time after it changed.
MODEL = """<div id=e contenteditable role=textbox aria-label=Note aria-multiline=true></div><script>
let lines = ['old text', 'and more'], sel = [0, 0, 0, 0], later = 0;
const e = $('e');
const draw = () => {
  e.replaceChildren(...lines.map((line) => { const p = document.createElement('p'); const s = document.createElement('span');
    if (line) s.textContent = line; else s.append(document.createElement('br')); p.append(s); return p }));
  const at = (l, o) => { const s = e.children[l].firstChild; return s.firstChild.nodeType === 3 ? [s.firstChild, o] : [s, 0] };
  if (document.activeElement === e) getSelection().setBaseAndExtent(...at(sel[0], sel[1]), ...at(sel[2], sel[3]));
};
const place = (node, offset) => {
  if (node === e) return offset >= lines.length ? [lines.length - 1, lines.at(-1).length] : [offset, 0];
  const l = [...e.children].findIndex((p) => p.contains(node));
  return [l, node.nodeType === 3 ? offset : offset ? lines[l].length : 0];
};
const readSelection = () => { const s = getSelection(); if (s.rangeCount && e.contains(s.anchorNode)) {
  const r = s.getRangeAt(0); sel = [...place(r.startContainer, r.startOffset), ...place(r.endContainer, r.endOffset)] } };
document.addEventListener('selectionchange', () => { if (LATE) { clearTimeout(later); later = setTimeout(readSelection, LATE) } else readSelection() });
const cut = () => { const [a, b, c, d] = sel; const rest = lines[c].slice(d); lines.splice(a, c - a + 1, lines[a].slice(0, b) + rest); sel = [a, b, a, b] };
e.addEventListener('beforeinput', (ev) => {
  ev.preventDefault();
  if (LATE && later) { clearTimeout(later); readSelection() }
  if (sel.join() !== [sel[0], sel[1], sel[0], sel[1]].join()) { cut(); if (ev.inputType.startsWith('delete')) return draw() }
  const [l, o] = sel;
  if (ev.inputType === 'insertText' || ev.inputType === 'insertFromPaste') { lines[l] = lines[l].slice(0, o) + ev.data + lines[l].slice(o); sel[1] = sel[3] = o + ev.data.length }
  else if (ev.inputType === 'insertParagraph' || ev.inputType === 'insertLineBreak') { lines.splice(l, 1, lines[l].slice(0, o), lines[l].slice(o)); sel = [l + 1, 0, l + 1, 0] }
  else if (ev.inputType === 'deleteContentForward') { lines[l] = lines[l].slice(0, o) + lines[l].slice(o + 1) }
  else said('unknown', ev.inputType);
  if (!ev.isTrusted) said('untrusted');
  draw();
});
draw(); window.text = () => lines.join('\\n');
</script>"""

#: An editor that draws its own text and hears keys through a field that nobody sees.
HIDDEN_FIELD = """<div id=e role=presentation style='position:relative;width:300px;height:100px;border:1px solid' onmousedown='event.preventDefault(); t.focus()'>
<pre id=v></pre><textarea id=t aria-label=Code autocapitalize=off style='position:absolute;left:0;top:0;width:2px;height:1em;opacity:0;padding:0;border:0'></textarea></div><script>
let code = 'old();\\nmore();', all = false;
const v = $('v'), t = $('t');
const draw = () => v.textContent = code;
const put = (s) => { code = all ? s : code + s; all = false; draw() };
t.addEventListener('keydown', (ev) => {
  if (!ev.isTrusted) said('untrusted');
  if (ev.key === 'a' && (ev.ctrlKey || ev.metaKey)) { all = true; ev.preventDefault() }
  else if (ev.key === 'Enter') { put('\\n'); ev.preventDefault() }
  else if (ev.key === 'Tab') { put('\\t'); ev.preventDefault() }
  else if (ev.key === 'Backspace' || ev.key === 'Delete') { code = all ? '' : ev.key === 'Delete' ? code : code.slice(0, -1); all = false; draw(); ev.preventDefault() }
});
t.addEventListener('input', () => { put(t.value); t.value = '' });
draw(); window.text = () => code;
</script>"""

#: The platform's own editing, with a button that runs one of its commands.
COMMANDS = """<button id=b onmousedown='event.preventDefault(); document.execCommand("bold")'>Bold</button>
<div id=e contenteditable role=textbox aria-label=Note><div>old <b>text</b></div><div>and more</div></div>
<script>window.text = () => $('e').innerText.replace(/\\u00a0/g, ' ').replace(/\\n$/, '')</script>"""

PLAIN = """<div id=e contenteditable=plaintext-only role=textbox aria-label=Note style='white-space:pre-wrap'>old text</div>
<script>window.text = () => $('e').textContent.replace(/\\n$/, '')</script>"""

#: An editor that is no editable element at all: it has an `EditContext`, as newer code editors do.
EDIT_CONTEXT = """<div id=e tabindex=0 role=textbox aria-label=Code style='width:300px;height:80px;border:1px solid;white-space:pre'></div><script>
const e = $('e'), context = new EditContext({text: 'old text'}); e.editContext = context; let all = false;
const draw = () => e.textContent = context.text;
const put = (s) => { if (all) { context.updateText(0, context.text.length, ''); context.updateSelection(0, 0); all = false }
  context.updateText(context.selectionStart, context.selectionEnd, s); const at = context.selectionStart + s.length; context.updateSelection(at, at); draw() };
context.addEventListener('textupdate', () => { if (all) { const typed = context.text.slice(8); all = false } draw() });
e.addEventListener('keydown', (ev) => {
  if (ev.key === 'a' && (ev.ctrlKey || ev.metaKey)) { context.updateSelection(0, context.text.length); ev.preventDefault() }
  else if (ev.key === 'Delete' || ev.key === 'Backspace') { put(''); ev.preventDefault() }
  else if (ev.key === 'Enter') { put('\\n'); ev.preventDefault() }
});
context.updateSelection(8, 8); draw(); window.text = () => context.text;
</script>"""

EDITORS = {
    "model": MODEL.replace("LATE", "0"),
    "late model": MODEL.replace("LATE", "100"),
    "hidden field": HIDDEN_FIELD,
    "commands": COMMANDS,
    "plain": PLAIN,
    "edit context": EDIT_CONTEXT,
}
NAMES = {"hidden field": "Code", "edit context": "Code"}


async def text(driver: Driver) -> str:
    found: str = await driver.page.evaluate("text()")
    return found


@pytest.mark.parametrize("build", EDITORS)
async def test_text_takes_the_place_of_what_stood_there(show: OpenPage, build: str) -> None:
    driver = await show(EDITORS[build])
    await driver.fill("textbox", NAMES.get(build, "Note"), HARD + "\nsecond", clear=True)
    assert (await text(driver)) == HARD + "\nsecond"
    assert await driver.log() == []


@pytest.mark.parametrize("build", EDITORS)
async def test_a_long_text_lands_whole(show: OpenPage, build: str) -> None:
    driver = await show(EDITORS[build])
    long = "word and 日本 " * (KEYED // 10)
    await driver.fill("textbox", NAMES.get(build, "Note"), long.strip(), clear=True)
    assert (await text(driver)) == long.strip()


@pytest.mark.parametrize("build", EDITORS)
async def test_an_editor_is_emptied(show: OpenPage, build: str) -> None:
    driver = await show(EDITORS[build])
    name = NAMES.get(build, "Note")
    node = await driver.find("textbox", name)
    await driver.fill("textbox", name, "x")
    await driver.computer.perform(TypeText(text="", clear=True, handle=node.handle))
    assert (await text(driver)) == ""


async def _focused(driver: Driver) -> None:
    """Wait until keys reach a text: a frame of another process has the focus a little after the click."""
    deadline = time.monotonic() + 3.0
    while not (await driver.computer.focus()).takes_text:
        assert time.monotonic() < deadline
        await anyio.sleep(0.02)


async def test_a_frame_in_design_mode_is_written_into(show: OpenPage, site: Site) -> None:
    """Also where its body is the editable element, and where it comes from another site."""
    made = site.add("<title>Letter</title>old text<script>document.designMode = 'on'</script>", bare=True)
    body = site.add("<body contenteditable><p>old text</p></body>", bare=True)
    for origin, path in (("BASE", made), ("BASE", body), ("OTHER", made), ("OTHER", body)):
        driver = await show(f"<iframe title=Letter src='{origin}{path}'></iframe>")
        loaded = driver.page.frame_locator("iframe").locator("body")
        await loaded.filter(has_text="old text").wait_for(timeout=5000)
        x, y = await driver.point("iframe", "Letter")
        await driver.computer.perform(ClickAt(x=x, y=y))
        await _focused(driver)
        await driver.computer.perform(TypeText(text=HARD + "\nsecond", clear=True))
        inner = next(frame for frame in driver.page.frames if frame.parent_frame)
        said = await inner.evaluate("document.body.innerText.replace(/\\u00a0/g, ' ').trim()")
        assert [line for line in said.split("\n") if line] == [HARD, "second"]


async def test_a_bold_word_keeps_its_neighbours(show: OpenPage) -> None:
    driver = await show(EDITORS["commands"])
    await driver.fill("textbox", "Note", "plain ", clear=True)
    await driver.click("button", "Bold")
    await driver.type("bold")
    assert await driver.page.evaluate("$('e').querySelector('b').textContent") == "bold"
    assert (await text(driver)) == "plain bold"
