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
  return el.isContentEditable || el.editContext ? "rich" : "none";
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
// `same` tells whether it is the field that was measured last; `number` is what a number field makes of its text.
axs.measure = () => {
  const el = axs.focusedElement();
  const same = el === axs.measured;
  axs.measured = el;
  if (!el || isRemoteFrame(el)) return null;
  if (axs.isTextInput(el) || el.localName === "textarea") {
    const start = el.selectionStart;
    const found = { same, length: el.value.length, selected: start === null ? null : el.selectionEnd - start, max: el.maxLength };
    if (el.type === "number") found.number = el.validity.badInput ? null : el.value;
    return found;
  }
  if (el.isContentEditable) return { same, length: hostOf(el).textContent.length, selected: null, max: -1 };
  return null;
};

const UNSEEN_PX = 10; // a field smaller than that is an editor's ear, and not where its text stands

const isUnseen = (el) => {
  const rect = el.getBoundingClientRect();
  return rect.width < UNSEEN_PX || rect.height < UNSEEN_PX || getComputedStyle(el).opacity === "0";
};

// After the keys for it: see to it that all of the field is selected, where the page has not done so in its own way.
axs.selectAll = async () => {
  const el = axs.focusedElement();
  if (!el) return;
  if (el.localName === "input" || el.localName === "textarea") {
    if (axs.keyTaken() && isUnseen(el)) return;
    const isAll = el.selectionStart === 0 && el.selectionEnd === el.value.length;
    if (el.value !== "" && !isAll) el.select();
  } else if (el.isContentEditable && !axs.keyTaken()) {
    const selection = el.ownerDocument.defaultView.getSelection();
    if (selection.isCollapsed) selection.selectAllChildren(hostOf(el));
    await afterFrames(1); // editors with a model of their own hear of the selection a little later
    await axs.tasks();
  }
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
