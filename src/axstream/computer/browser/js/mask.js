// Which parts of a page a walk enters: those on the screen (`view`), or those that may fit a target (`find`). A superset
// always: what is entered is looked at exactly by the walk itself. Nothing is described here.
//
// `marked` holds what is entered, with all its ancestors; `whole` what is entered with all that is inside.

// What can be acted on, as far as a selector tells; for counts of what is not entered.
const ACTS =
  "a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=treeitem],[role=textbox],[role=combobox],[role=slider],[tabindex],[onclick],[contenteditable=''],[contenteditable=true]";
const TELLS = "p,li,td,th,dt,dd,h1,h2,h3,h4,h5,h6,figcaption,pre,blockquote,caption";
// What ranking needs whatever is looked for: what is modal or floats, and frames.
const MAYBE_ALWAYS = "dialog,[aria-modal],[popover],[role],iframe,frame";
const ALWAYS =
  "dialog[open],[aria-modal=true],[popover]:popover-open,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip],[role=application],iframe,frame";
const ROWS = new Set("li tr article option".split(" "));
const ROW_ROLES = new Set("row listitem article option treeitem".split(" "));
const ROW_TEXT = 4000; // characters of a row's text in which a title in several pieces is looked for

// Whether an element is one of many like it, told apart by the text in it. (A table that only lays out has no rows.)
axs.isRow = (el) => (ROWS.has(el.localName) || el.hasAttribute("role")) && ROW_ROLES.has(axs.roleOf(el));

const climb = (marked, node) => {
  for (let at = node; at && !marked.has(at); at = axs.parentOf(at)) marked.add(at);
};

const emptyMask = () => ({ marked: new Set(), whole: new Set(), left: new Map(), scrollers: new Map(), called: new Map() });

const WAYS = [["below", "scroll down"], ["above", "scroll up"], ["to the right", "scroll right"], ["to the left", "scroll left"]];
const OUT = ["out of sight", "scroll, or open what holds them"];
const count = (mask, [region, how], elements, texts) => {
  let known = mask.left.get(region);
  if (!known) mask.left.set(region, (known = [region, how, 0, 0]));
  known[2] += elements;
  known[3] += texts;
};

// What scrolls an element, but for the page itself; asked for many elements of one place.
const scrollerOf = (mask, el) => {
  const known = mask.scrollers.get(el.parentNode);
  if (known !== undefined) return known;
  const passed = [];
  let found = null;
  for (let node = axs.parentOf(el); node && node.nodeType !== 9; node = axs.parentOf(node)) {
    if (mask.scrollers.has(node)) {
      found = mask.scrollers.get(node);
      break;
    }
    passed.push(node);
    if (node.nodeType !== 1 || node === node.ownerDocument.body || node === node.ownerDocument.documentElement) continue;
    if (node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1) continue;
    if (!/auto|scroll/.test(getComputedStyle(node).overflow)) continue;
    found = node;
    break;
  }
  for (const node of passed) mask.scrollers.set(node, found);
  return found;
};

const wayOut = (rect, left, top, right, bottom) =>
  rect.top >= bottom ? 0 : rect.bottom <= top ? 1 : rect.left >= right ? 2 : rect.right <= left ? 3 : -1;

// Where an element lies that cannot be seen, and how to reach it (O2); the clip in client coordinates of its document.
axs.regionOf = (mask, el, rect, [left, top, right, bottom]) => {
  const scroller = scrollerOf(mask, el);
  if (scroller) {
    const box = scroller.getBoundingClientRect();
    const way = wayOut(rect, box.left, box.top, box.right, box.bottom);
    if (way >= 0 && wayOut(box, left, top, right, bottom) < 0) return within(mask, scroller, way);
  }
  const way = wayOut(rect, left, top, right, bottom);
  return way < 0 ? OUT : WAYS[way];
};

const SAID_OF_SCROLLER = 40;
const within = (mask, scroller, way) => {
  let called = mask.called.get(scroller);
  if (called === undefined) {
    const role = axs.roleOf(scroller);
    const name = axs.nameFor(scroller, role).slice(0, SAID_OF_SCROLLER);
    called = role === "generic" || !role ? "a part that scrolls" : name ? `${role} ${JSON.stringify(name)}` : `the ${role}`;
    mask.called.set(scroller, called);
  }
  return [`${WAYS[way][0]} in ${called}`, `${WAYS[way][1]} over it`];
};

// Mark what a clip (in client coordinates of the document) shows, and count what lies outside of it.
axs.markView = (mask, doc, clip) => {
  const [left, top, right, bottom] = clip;
  const { marked, whole } = mask;
  for (const root of rootsOf(doc)) {
    const acting = setOf(root, ACTS);
    const telling = setOf(root, TELLS);
    for (const el of elementsOf(root)) {
      const rect = el.getBoundingClientRect();
      if (rect.width === 0 && rect.height === 0) {
        // Not displayed, or without a box of its own: what stands in it directly may show all the same.
        if (el.firstChild?.nodeType === 3 || el.localName === "area") climb(marked, el);
      } else if (rect.bottom > top && rect.top < bottom && rect.right > left && rect.left < right) {
        climb(marked, el);
        // A row tells by all of it which one it is.
        if (rect.height <= bottom - top && axs.isRow(el)) whole.add(el);
      } else if (acting.has(el) || telling.has(el)) {
        count(mask, axs.regionOf(mask, el, rect, clip), acting.has(el) ? 1 : 0, acting.has(el) || !el.firstChild ? 0 : 1);
      }
    }
  }
};

// A title as it is looked for: its words without what stands between them.
const phraseOf = (words) => {
  const joined = squeeze(words.join(""));
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return {
    joined: joined || words[0],
    sign: !joined, // it is all punctuation: looked for as it stands
    words,
    whole: new RegExp(`(?<![a-z0-9])${escaped.join("[^\\p{L}\\p{N}]*")}(?![a-z0-9])`, "u"),
  };
};

const NAMERS = new Set("a area button label legend summary option li td th tr dt dd p h1 h2 h3 h4 h5 h6 caption figcaption fieldset table".split(" "));
const isNamer = (el) => NAMERS.has(el.localName) || el.hasAttribute("role") || el.hasAttribute("tabindex") || el.hasAttribute("onclick");
const NAMER_LEVELS = 8; // how far above a text the element that is called by it is looked for

// All that an element may be called by, from inside it.
const saidIn = (el) => {
  let said = el.textContent;
  for (const inner of el.querySelectorAll("[alt],[aria-label],[title],[value]"))
    for (const name of ["alt", "aria-label", "title", "value"]) if (inner.hasAttribute(name)) said += ` ${inner.getAttribute(name)}`;
  return fold(said);
};

// Mark what may be called by one of some titles, each a list of words; with the controls of labels, and what is named by
// another's text. `rows` has the rows in which a title stands, in one piece or several, entered whole.
axs.markWords = (mask, roots, titles, rows) => {
  const phrases = titles.map(phraseOf);
  if (!phrases.length) return;
  const { marked, whole } = mask;
  const memo = new Map();
  const holdsAll = (el) => {
    let holds = memo.get(el);
    if (holds === undefined) {
      const said = saidIn(el);
      memo.set(el, (holds = phrases.some((phrase) => phrase.words.every((word) => said.includes(word)))));
    }
    return holds;
  };
  const found = (node) => {
    climb(marked, node);
    for (let at = node; at && at.nodeType !== 9; at = axs.parentOf(at))
      if (at.localName === "label" && at.control) climb(marked, at.control);
  };
  // One word of a title stands here: the rest of it may stand beside it, in what is called by both.
  const near = (node) => {
    let level = 0;
    for (let at = node; at && at.nodeType !== 9 && level < NAMER_LEVELS; at = axs.parentOf(at), level++) {
      if (at.nodeType !== 1 || !isNamer(at)) continue;
      if (at.firstElementChild && holdsAll(at)) found(at);
      break;
    }
  };
  const inRows = (node) => {
    for (let at = node; at && at.nodeType !== 9; at = axs.parentOf(at)) {
      if (at.nodeType !== 1 || !axs.isRow(at)) continue;
      if (at.textContent.length > ROW_TEXT) break;
      if (holdsAll(at)) {
        climb(marked, at);
        whole.add(at);
      }
    }
  };
  for (const root of roots) {
    const texts = textsOf(root);
    for (const phrase of phrases) {
      const told = new Set();
      if (phrase.sign) {
        for (const text of texts.nodes) if (fold(text.data).includes(phrase.joined)) told.add(text);
      } else {
        for (const [first, last] of standing(texts, phrase.joined)) {
          const text = texts.nodes[last];
          if (!told.has(text) && (first < last || phrase.whole.test(fold(text.data)))) told.add(text);
        }
      }
      const touched = new Set();
      const rarest = phrase.words.map((word) => [squeeze(word), Array.from(standing(texts, squeeze(word)))]).filter(([word]) => word);
      if (rarest.length)
        for (const [, last] of rarest.reduce((one, other) => (other[1].length < one[1].length ? other : one))[1])
          if (!told.has(texts.nodes[last])) touched.add(texts.nodes[last]);
      for (const text of told) found(text.parentNode);
      for (const text of touched) near(text.parentNode);
      if (rows) for (const text of [...told, ...touched]) inRows(text.parentNode);
    }
    const hear = (el, folded, own) => {
      if (phrases.some((phrase) => (phrase.sign ? folded : own).includes(phrase.joined))) found(el);
      else if (phrases.some((phrase) => phrase.words.some((word) => own.includes(squeeze(word) || word)))) near(el);
      else return;
      if (rows) inRows(el);
    };
    for (const [el, folded, own] of calledOf(root)) hear(el, folded, own);
    for (const el of elementsOf(root, VALUED)) {
      if (!el.value) continue;
      const folded = fold(String(el.value));
      hear(el, folded, squeeze(folded));
    }
    for (const el of elementsOf(root, "[aria-labelledby],[aria-describedby]")) {
      const ids = `${el.getAttribute("aria-labelledby") ?? ""} ${el.getAttribute("aria-describedby") ?? ""}`.split(/\s+/);
      const said = ids.map((id) => (id && root.getElementById ? root.getElementById(id) : null)).map((by) => (by ? saidIn(by) : "")).join(" ");
      if (phrases.some((phrase) => phrase.words.every((word) => said.includes(word)))) found(el);
    }
  }
};

// Mark what ranking needs whatever is looked for.
axs.markAlways = (mask, roots) => {
  for (const root of roots) for (const el of elementsOf(root, MAYBE_ALWAYS)) if (el.matches(ALWAYS)) climb(mask.marked, el);
};

// Mark the elements of handles, with all that is in them; return them.
axs.markHandles = (mask, handles) => {
  const asked = new Set();
  for (const handle of handles) {
    const node = axs.nodeOf(handle);
    if (!node) continue;
    asked.add(node);
    if (!mask) continue;
    climb(mask.marked, node);
    if (node.nodeType !== 9) mask.whole.add(node);
  }
  return asked;
};

// Whether what an element shows begins with something to act on; null where it shows nothing.
axs.beginsActing = (el) => {
  const inner = document.createTreeWalker(el, 5);
  for (let node = el; node; node = inner.nextNode()) {
    if (node.nodeType === 3) {
      if (/\S/.test(node.data) && node.parentElement?.checkVisibility()) return false;
    } else if (node.checkVisibility()) {
      if (node.matches(ACTS)) return true;
      if (STRUCTURE.has(axs.roleOf(node))) return false;
    }
  }
  return null;
};
