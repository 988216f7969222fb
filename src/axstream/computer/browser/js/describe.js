// What one element is: role, name, states, value. Names and roles are the browser's own computation, or those of
// dom-accessibility-api where the browser does not offer it to pages; never a guess. Nothing is walked here.

const interactiveRoles = new Set(config.interactive);
const knownRoles = new Set(config.roles);
const VALUE_LIMIT = 2000; // characters of a value; more is cut with an ellipsis
const TEXT_INPUTS = new Set(["text", "search", "url", "tel", "email", "password", "number"]);
// Inputs whose value is set as a whole, since their inner fields follow the platform's language.
const SET_INPUTS = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);
const ROLE_NAMES = { image: "img", directory: "list", "graphics-document": "img", "graphics-object": "group", "graphics-symbol": "img" };
// Elements for which HTML-AAM names no ARIA role; what they are to a person.
const OWN_ROLES = {
  summary: "button", canvas: "canvas", iframe: "iframe", frame: "iframe", video: "video", audio: "audio", area: "link",
  svg: "img", label: "text", legend: "text", figcaption: "text", embed: "generic", object: "generic", fencedframe: "iframe",
};
// Roles that take their name from what stands in them, and so say it.
axs.saysContent = new Set(
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem".split(" "),
);
// Roles that may be named without an attribute of their own.
const NAMED = new Set(
  "alertdialog combobox dialog figure group iframe img listbox meter progressbar radiogroup searchbox slider spinbutton table textbox canvas grid treegrid video audio".split(" "),
);

// The browser's own names are quick only where it keeps an accessibility tree: else each builds a whole one.
const SLOW_NAME_MS = 0.4;
axs.tryNames = () => {
  if (!axs.blink || !document.body) return "";
  document.body.computedRole; // the first may build the tree that is kept
  const begun = performance.now();
  for (let i = 0; i < 3; i++) document.documentElement.computedRole;
  return (performance.now() - begun) / 3 > SLOW_NAME_MS ? "slow" : "";
};
axs.decideNames = () => {
  if (axs.tryNames() === "slow") axs.blink = false;
};

axs.isTextInput = (el) => el.localName === "input" && TEXT_INPUTS.has(el.type);
axs.isSetInput = (el) => el.localName === "input" && SET_INPUTS.has(el.type);
axs.isDropdown = (el) => el?.localName === "select" && !el.multiple && el.size <= 1;

// What Chromium calls elements that the library has no role for: those of HTML-AAM that are missing in it.
const libraryLacks = (el) => {
  if (el.localName === "input") return { password: "textbox", file: "button" }[el.type] ?? "";
  return { p: "paragraph", address: "group", blockquote: "blockquote", code: "code", em: "emphasis", strong: "strong", search: "search" }[el.localName] ?? "";
};

axs.roleOf = (el) => {
  const tag = el.localName;
  const given = el.getAttribute("role");
  if (!given) {
    if (tag === "div" || tag === "span") return "generic"; // by far the most; HTML-AAM has one role for them
    if (tag === "area") return el.hasAttribute("href") ? "link" : "generic";
    if (OWN_ROLES[tag]) return OWN_ROLES[tag];
    if (tag === "input" && SET_INPUTS.has(el.type) && el.type !== "range") return "textbox";
  }
  const computed = (axs.blink ? el.computedRole : axsNames.role(el) || libraryLacks(el)) || "generic";
  const role = ROLE_NAMES[computed] ?? computed;
  if (role === "none" || role === "presentation") return "generic";
  return knownRoles.has(role) ? role : "generic";
};

axs.nameOf = (el) => axs.clean(axs.blink ? el.computedName : axsNames.name(el));

const authored = (el) => el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby") || el.hasAttribute("title");

// The name where one is possible at all: computing one costs.
axs.nameFor = (el, role) =>
  NAMED.has(role) || axs.saysContent.has(role) || interactiveRoles.has(role) || authored(el) ? axs.nameOf(el) : "";

// The text that a person reads in an element, without that of its controls; for what has no name of its own.
axs.ownText = (el, limit) => {
  let text = "";
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (text.length > limit) return;
      if (child.nodeType === 3) text += child.data;
      else if (child.nodeType === 1 && !/^(script|style|template|select|textarea|option|noscript|svg)$/.test(child.localName)) {
        if (child.checkVisibility && !child.checkVisibility()) continue;
        if (child.localName === "img" && child.alt) text += ` ${child.alt} `;
        const block = !/^(a|b|i|em|strong|span|u|s|small|code|sub|sup|mark|abbr)$/.test(child.localName);
        if (block) text += " ";
        walk(axs.rootOf(child) ?? child);
        if (block) text += " ";
      }
    }
  };
  walk(axs.rootOf(el) ?? el);
  return axs.clean(text).slice(0, limit);
};

const cut = (text) => (text.length > VALUE_LIMIT ? `${text.slice(0, VALUE_LIMIT)}…` : text);

axs.isEditableHost = (el) => el.isContentEditable && !(el.parentElement?.isContentEditable ?? false);

axs.takesText = (el) => {
  if (!el || el.nodeType !== 1 || axs.isDisabled(el)) return false;
  if (axs.isTextInput(el) || el.localName === "textarea") return !el.readOnly;
  if (axs.isSetInput(el)) return !el.readOnly;
  // A select takes the letters of an option; an element with an `EditContext` is an editor that draws its own text.
  return el.isContentEditable || el.localName === "select" || Boolean(el.editContext);
};

axs.isDisabled = (el) => {
  if (el.matches(":disabled")) return true;
  for (let node = el; node; node = axs.parentOf(node)) {
    if (node.nodeType !== 1) continue;
    if (node.getAttribute("aria-disabled") === "true") return true;
    if (node.inert) return true;
  }
  return false;
};

const tristate = (value) => (value === "true" || value === "false" || value === "mixed" ? value : "");

axs.checkedOf = (el, role) => {
  if (el.localName === "input" && (el.type === "checkbox" || el.type === "radio"))
    return el.indeterminate ? "mixed" : String(el.checked);
  if (/^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)$/.test(role))
    return tristate(el.getAttribute("aria-checked") ?? "");
  return "";
};

axs.valueOf = (el, role) => {
  if (el.localName === "input") {
    if (el.type === "password") return "";
    if (/^(checkbox|radio|button|submit|reset|image|file|hidden)$/.test(el.type)) return "";
    return cut(el.value);
  }
  if (el.localName === "textarea") return cut(el.value);
  if (el.localName === "select") return cut(Array.from(el.selectedOptions, (option) => axs.clean(option.label)).join(", "));
  if (el.localName === "progress") return el.position >= 0 ? String(el.value) : "";
  if (el.localName === "meter") return String(el.value);
  if (axs.isEditableHost(el)) return cut(el.innerText.replace(/\n$/, ""));
  const said = el.getAttribute("aria-valuetext") ?? el.getAttribute("aria-valuenow");
  if (said && /^(slider|spinbutton|progressbar|meter|scrollbar|separator)$/.test(role)) return cut(said);
  if (role === "textbox" || role === "searchbox") return cut(axs.clean(el.textContent));
  return "";
};

// The name of the button that Enter in a field presses, by the form's rules; "" where there is none.
axs.submitsOf = (el) => {
  const form = el.form;
  if (!form || !(axs.isTextInput(el) || axs.isSetInput(el) || /^(checkbox|radio)$/.test(el.type ?? ""))) return "";
  const button = Array.from(form.elements).find(
    (other) => (other.localName === "button" && other.type === "submit") || (other.localName === "input" && other.type === "submit"),
  );
  const image = button ?? form.querySelector("input[type=image]");
  return image && !image.matches(":disabled") ? axs.nameOf(image) : "";
};

// The fields of `Node` that the element itself gives; those that hold their default are left out.
axs.fieldsOf = (el, role, name) => {
  const node = { handle: axs.handleOf(el), role, document: axs.documentId(el.ownerDocument) };
  const tag = el.localName;
  if (name) node.name = name;
  if (el.hasAttribute("title") || el.hasAttribute("aria-describedby") || el.hasAttribute("aria-description")) {
    const description = axs.clean(axsNames.description(el)) || axs.clean(el.getAttribute("title") ?? "");
    if (description && description !== name) node.description = description;
  }
  const placeholder = el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder");
  if (placeholder) node.placeholder = axs.clean(placeholder);
  const value = axs.valueOf(el, role);
  if (value) node.value = value;
  if (interactiveRoles.has(role)) node.interactive = true;
  const native = tag === "input" || tag === "textarea" || tag === "select" || tag === "button";
  if ((native || tag === "option" || tag === "optgroup" || tag === "fieldset" || tag.includes("-")) && el.matches(":disabled"))
    node.enabled = false;
  if (native && el.required) node.required = true;
  if (axs.isTextInput(el) || axs.isSetInput(el) || tag === "textarea") {
    if (el.readOnly) node.readonly = true;
    else node.editable = true;
    if (tag === "textarea") node.multiline = true;
    if (el.type === "password") node.password = true;
    const submits = axs.submitsOf(el);
    if (submits) node.submits = submits;
  } else if (axs.isEditableHost(el)) {
    node.editable = true;
    node.multiline = el.getAttribute("aria-multiline") !== "false";
    node.interactive = true;
  }
  if (tag === "option" ? el.selected : el.getAttribute("aria-selected") === "true") node.selected = true;
  const checked = axs.checkedOf(el, role);
  if (checked) node.checked = checked;
  if (tag === "a" || tag === "area") {
    if (el.href) node.url = String(el.href);
  } else if (el.form && (native || tag === "object")) {
    const sends = /^(submit|image)$/.test(el.type ?? "") && el.hasAttribute("formaction") ? el.formAction : el.form.getAttribute("action");
    // An address of data: is no base for others, and a page may write what is none.
    node.form_action = URL.parse(sends ?? "", el.ownerDocument.baseURI)?.href ?? sends ?? el.ownerDocument.baseURI;
  }
  if (role === "heading") node.level = Number(el.getAttribute("aria-level")) || Number(/^h([1-6])$/.exec(tag)?.[1]) || 2;
  axs.addAria(el, node);
  return node;
};

axs.addAria = (el, node) => {
  const tag = el.localName;
  const get = (attribute) => el.getAttribute(attribute);
  if (tag === "summary") node.expanded = String(el.parentElement?.open ?? false);
  else if (get("aria-expanded") === "true" || get("aria-expanded") === "false") node.expanded = get("aria-expanded");
  const pressed = tristate(get("aria-pressed") ?? "");
  if (pressed && node.role === "button") node.pressed = pressed;
  if (get("aria-required") === "true") node.required = true;
  if (get("aria-readonly") === "true") node.readonly = true;
  if (el.inert || get("aria-disabled") === "true") node.enabled = false;
  if (el.localName === "dialog" ? el.matches(":modal") : get("aria-modal") === "true" && /dialog/.test(node.role)) node.modal = true;
};

// How a message names an element: role and name, or what can be read in it.
axs.sayElement = (el) => {
  let named = "";
  for (let node = el; node && node.nodeType !== 9; node = axs.parentOf(node)) {
    if (node.nodeType !== 1 || node.localName === "body" || node.localName === "html") continue;
    const role = axs.roleOf(node);
    const name = role === "generic" ? "" : axs.nameOf(node);
    if (name) return `${role} "${name.slice(0, 80)}"`;
    if (!named && role !== "generic" && role !== "text") named = role;
  }
  const text = axs.ownText(el, 60);
  if (named) return text ? `${named} "${text}"` : `a ${named}`;
  return text ? `the text "${text}"` : `an unnamed <${el.localName}>`;
};
