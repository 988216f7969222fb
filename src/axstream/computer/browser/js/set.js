// Inputs whose value is set and not written: dates, times, colours, ranges. What keys they take is decided elsewhere.

const tell = (el, ...events) => {
  for (const type of events) el.dispatchEvent(new Event(type, { bubbles: true, composed: type === "input" }));
};

// Set an input whose inner fields follow the platform's language; returns what it holds then.
axs.setFocused = (text) => {
  const el = axs.focusedElement();
  if (!el || !axs.isSetInput(el)) return { ok: false, type: "" };
  const before = el.value;
  el.value = text;
  const ok = text === "" ? el.value === "" || el.type === "color" || el.type === "range" : isTaken(el, text);
  if (!ok) {
    el.value = before;
    return { ok, type: el.type };
  }
  if (el.value !== before) tell(el, "input", "change");
  return { ok, type: el.type, value: el.value };
};

const isTaken = (el, text) => {
  if (el.type === "color") return el.value === text.toLowerCase();
  if (el.type === "range") return Number.isFinite(Number(text)) && text.trim() !== "";
  return el.value !== "";
};
