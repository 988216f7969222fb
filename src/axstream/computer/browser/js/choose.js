// Options of native lists: which one is meant, how far it is from the one chosen, what the page heard of it.

// The options that arrow keys stop at in an open list.
const stopsOf = (select) =>
  Array.from(select.options).filter((option) => {
    const group = option.parentElement.localName === "optgroup" ? option.parentElement : null;
    if (option.disabled || group?.disabled) return false;
    return getComputedStyle(option).display !== "none" && (!group || getComputedStyle(group).display !== "none");
  });

const isOpen = (select) => CSS.supports("selector(select:open)") && select.matches(":open");
const isDrawn = (option) => option.getClientRects().length > 0; // a list that the page itself draws (`base-select`)

// What choosing an option takes: {gone} or {problem}, else the arrow keys between it and the one chosen now.
axs.choosing = (handle) => {
  const option = axs.nodeOf(handle);
  const select = option?.closest("select");
  if (!select) return { gone: true };
  if (axs.isDisabled(select) || option.disabled || option.parentElement.disabled) return { problem: "it is disabled" };
  const stops = stopsOf(select);
  if (!isOpen(select)) select.focus({ preventScroll: true });
  axs.heardChoice = null;
  const view = select.ownerDocument.defaultView;
  const hear = (event) => {
    if (axs.targetOf(event) !== select) return;
    axs.heardChoice = select.selectedOptions[0] ?? null;
    view.removeEventListener("change", hear, true);
  };
  view.addEventListener("change", hear, true);
  axs.unhearChoice?.();
  axs.unhearChoice = () => view.removeEventListener("change", hear, true);
  return {
    changed: !option.selected,
    dropdown: axs.isDropdown(select),
    many: select.multiple,
    open: isOpen(select),
    to: stops.indexOf(option),
    count: stops.length,
    label: axs.clean(option.label),
    select: axs.nameOf(select),
  };
};

axs.targetOf = (event) => event.composedPath()[0];

// Whether the list of an option is open now, and whether the page draws it.
axs.openList = (handle) => {
  const option = axs.nodeOf(handle);
  const select = option?.closest("select");
  return { open: Boolean(select && isOpen(select)), drawn: Boolean(select && isOpen(select) && isDrawn(option)) };
};

// What came of it: whether the option was chosen when the page heard of a choice, and whether it is chosen now.
axs.chosen = (handle) => {
  const option = axs.nodeOf(handle);
  axs.unhearChoice?.();
  return { gone: !option, heard: axs.heardChoice !== null, meant: axs.heardChoice === option, selected: Boolean(option?.selected) };
};

// Choose by script, for a list that no key opens: the events are complete, but not trusted.
axs.choose = (handle) => {
  const option = axs.nodeOf(handle);
  const select = option?.closest("select");
  if (!select || option.selected) return;
  option.selected = true;
  tell(select, "input", "change");
};

// The option of the focused select that a typed text means: the one called so, else the one that begins so.
axs.optionTyped = (text) => {
  const select = axs.focusedElement();
  const wanted = axs.clean(text).toLowerCase();
  const label = (option) => axs.clean(option.label).toLowerCase();
  const options = Array.from(select.options).filter((option) => !option.disabled && !option.parentElement.disabled);
  const begins = options.filter((option) => label(option).startsWith(wanted));
  const found = options.find((option) => label(option) === wanted) ?? begins[0];
  if (found) return { handle: axs.handleOf(found) };
  const names = options.slice(0, 8).map((option) => `"${axs.clean(option.label).slice(0, 40)}"`);
  return { problem: `${axs.sayElement(select)} has no option "${axs.clean(text).slice(0, 60)}"; it has ${names.join(", ") || "none"}` };
};
