// Inputs whose value is set and not written: dates, times, colours, ranges. Which keys set it is decided in setting.py.

const tell = (el, ...events) => {
  for (const type of events) el.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
};

const isTaken = (el, text, value) => {
  if (el.type === "color") return value === text.toLowerCase();
  if (el.type === "range") return Number.isFinite(Number(text)) && text.trim() !== "";
  return value !== "";
};

// What a text would make of the focused input: {ok, handle, type, value: what it holds then, now: what it holds}.
// From here on the values that the page hears of are noted, for `held`.
axs.setting = (text) => {
  const el = axs.focusedElement();
  if (!el || !axs.isSetInput(el)) return { ok: false, type: "" };
  const probe = el.cloneNode();
  probe.value = text;
  const value = probe.value;
  const ok = text === "" || isTaken(el, text, value);
  axs.heardValues = [];
  axs.unhear?.();
  const view = el.ownerDocument.defaultView;
  const hear = (event) => event.composedPath()[0] === el && axs.heardValues.push(el.value);
  view.addEventListener("input", hear, true);
  axs.unhear = () => view.removeEventListener("input", hear, true);
  return { ok, handle: axs.handleOf(el), type: el.type, value, now: el.value, open: el.type === "color" && isOpen(el) };
};

// What the input holds, and whether the page heard of `value` meanwhile; what it makes of it is its own affair.
axs.held = (handle, value) => {
  const el = axs.nodeOf(handle);
  const heard = axs.heardValues ?? [];
  if (!el) return { gone: true, value: "", met: heard.includes(value) };
  const probe = el.cloneNode();
  const number = (text) => ((probe.value = text), probe.valueAsNumber); // 13:45 is 13:45:00
  const same = (text) => text === value || (text !== "" && number(text) === number(value));
  return { gone: false, value: el.value, met: same(el.value) || heard.some(same) };
};

// Set it by script, where no key does: the events are complete, but not trusted.
axs.setByScript = (handle, text) => {
  const el = axs.nodeOf(handle);
  axs.unhear?.();
  if (!el) return "";
  const before = el.value;
  el.value = text;
  if (el.value !== before) tell(el, "input", "change");
  return el.value;
};

// The colour of an input while the browser's colour window is open for it, else null.
axs.colourOpen = (handle) => {
  const el = axs.nodeOf(handle);
  return el && isOpen(el) ? el.value : null;
};

axs.colourClosed = async (handle, capMs) => {
  const end = performance.now() + capMs;
  while (axs.colourOpen(handle) !== null && performance.now() < end) await afterFrames(1);
  await axs.tasks();
};

// Where on a slider a value lies, in client coordinates of this local root; null where a click there does not reach it.
axs.onSlider = (handle, value) => {
  const el = axs.nodeOf(handle);
  const rect = el?.getBoundingClientRect();
  if (!rect?.width || !rect.height) return null;
  const [x, y] = sliderPoint(el, value);
  const hit = axs.hit(x, y);
  return hit && axs.reaches(el, hit) ? { x, y } : null;
};

const THUMB_PX = 16; // the browser's own; a drawn one is a little off, which the arrow keys make good

const sliderPoint = (el, value) => {
  const rect = el.getBoundingClientRect();
  const style = getComputedStyle(el);
  const { min, max } = sliderEnds(el);
  let share = max > min ? (Number(value) - min) / (max - min) : 0;
  const isTall = style.writingMode !== "horizontal-tb" || style.appearance === "slider-vertical";
  const s = axs.placeOf(el.ownerDocument);
  if ((style.direction === "rtl") !== (style.appearance === "slider-vertical")) share = 1 - share;
  const along = (from, length) => from + THUMB_PX / 2 + share * (length - THUMB_PX);
  const x = isTall ? rect.left + rect.width / 2 : along(rect.left, rect.width);
  const y = isTall ? along(rect.top, rect.height) : rect.top + rect.height / 2;
  return [s.x + s.s * x, s.y + s.s * y];
};

const sliderEnds = (el) => {
  const min = el.min === "" || !Number.isFinite(Number(el.min)) ? 0 : Number(el.min);
  const max = el.max === "" || !Number.isFinite(Number(el.max)) ? 100 : Number(el.max);
  return { min, max };
};

// How many steps up a slider is from a value (negative: down).
axs.stepsTo = (handle, value) => {
  const el = axs.nodeOf(handle);
  if (!el) return 0;
  const { min, max } = sliderEnds(el);
  const step = el.step === "any" ? (max - min) / 100 : Number(el.step) > 0 ? Number(el.step) : 1;
  return Math.round((Number(value) - Number(el.value)) / step);
};
