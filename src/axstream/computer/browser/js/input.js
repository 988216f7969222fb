// What has the focus and what goes into it: text, values, choices. Finding and reaching it is in act.js.

const isRemoteFrame = (el) => (el?.localName === "iframe" || el?.localName === "frame") && !axs.contentDocument(el);

// What has the focus: its node, whether it takes text, how it takes it.
axs.focus = () => {
  const el = axs.focusedElement();
  if (isRemoteFrame(el)) return { remote: axs.handleOf(el) };
  if (!el || el.localName === "body" || el.localName === "html")
    return { node: null, takes: Boolean(el?.isContentEditable), kind: el?.isContentEditable ? "rich" : "none" };
  const host = el.isContentEditable ? hostOf(el) : el;
  return { node: axs.nodeFor(host), takes: axs.takesText(el), kind: kindOf(el), deaf: isDeaf(el) };
};

// Controls for which letters are nothing, whoever else on the page listens to keys.
const isDeaf = (el) =>
  /^(input|textarea|button|summary)$/.test(el.localName) || /^(button|link|checkbox|radio|switch)$/.test(axs.roleOf(el));

const hostOf = (el) => {
  let host = el;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
};

const kindOf = (el) => {
  if (axs.isSetInput(el)) return "set";
  if (axs.isTextInput(el) || el.localName === "textarea") return "field";
  if (el.localName === "select") return "select";
  return el.isContentEditable ? "rich" : "none";
};

// Whether the element of a handle, a part of it or the control that it labels has the focus.
axs.hasFocus = (handle) => {
  const node = axs.nodeOf(handle);
  const el = axs.focusedElement();
  if (!node || !el) return { alive: Boolean(node), has: false };
  const meant = elementOf(node);
  const control = meant.localName === "label" ? meant.control : meant.closest?.("label")?.control;
  return { alive: true, has: axs.holds(meant, el) || control === el || axs.holds(el, meant), editable: axs.takesText(meant) };
};

// How many characters the focused field holds, and how many of them are selected; null where it cannot be read.
axs.measure = () => {
  const el = axs.focusedElement();
  if (!el || isRemoteFrame(el)) return null;
  if (axs.isTextInput(el) || el.localName === "textarea") {
    const start = el.selectionStart;
    return { length: el.value.length, selected: start === null ? null : el.selectionEnd - start, max: el.maxLength };
  }
  if (el.isContentEditable) return { length: hostOf(el).textContent.length, selected: null, max: -1 };
  return null;
};

axs.selectAll = () => {
  const el = axs.focusedElement();
  if (!el) return false;
  if (el.localName === "input" || el.localName === "textarea") {
    el.select();
    return el.value !== "";
  }
  if (!el.isContentEditable) return false;
  const host = hostOf(el);
  el.ownerDocument.defaultView.getSelection().selectAllChildren(host);
  return host.textContent !== "";
};

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

// Choose an option of a native select, as its own list does; {gone} or {problem} where that is not possible.
axs.choose = (handle) => {
  const option = axs.nodeOf(handle);
  const select = option?.closest("select");
  if (!select) return { gone: true };
  if (select.matches(":disabled") || option.disabled || option.parentElement.disabled) return { problem: "it is disabled" };
  select.focus({ preventScroll: true });
  const open = CSS.supports("selector(select:open)") && select.matches(":open");
  const changed = !option.selected;
  if (changed) {
    option.selected = true;
    tell(select, "input", "change");
  }
  return { changed, open, label: axs.clean(option.label), select: axs.nameOf(select) };
};

// Choose the option of the focused select that a typed text means: the one called so, else the one that begins so.
axs.chooseTyped = (text) => {
  const select = axs.focusedElement();
  const wanted = axs.clean(text).toLowerCase();
  const label = (option) => axs.clean(option.label).toLowerCase();
  const options = Array.from(select.options).filter((option) => !option.disabled && !option.parentElement.disabled);
  const begins = options.filter((option) => label(option).startsWith(wanted));
  const found = options.find((option) => label(option) === wanted) ?? begins[0];
  if (found) return axs.choose(axs.handleOf(found));
  const names = options.slice(0, 8).map((option) => `"${axs.clean(option.label).slice(0, 40)}"`);
  return { problem: `${axs.sayElement(select)} has no option "${axs.clean(text).slice(0, 60)}"; it has ${names.join(", ") || "none"}` };
};

// Whether the page takes the next key for itself (preventDefault): asked around a press that the browser itself knows.
axs.armKey = () => {
  const view = axs.focusedElement()?.ownerDocument.defaultView ?? window;
  axs.heard = null;
  const hear = (event) => {
    if (/^(Control|Shift|Alt|Meta)$/.test(event.key)) return;
    axs.heard = event;
    view.removeEventListener("keydown", hear, true);
  };
  view.addEventListener("keydown", hear, true);
};
axs.keyTaken = () => Boolean(axs.heard?.defaultPrevented);
