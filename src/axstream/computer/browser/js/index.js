// What a document holds, kept until it changes: its elements, its texts as they are looked for, what names itself by
// attributes. Nothing is marked or described here. Only what is watched is kept: see `note` in rest.js.

// Versions: of which elements there are, of texts, of attributes that matter here. Lists of an older one are made anew.
let structure = 0;
let wording = 0;
let naming = 0;
const PLAIN_ATTRIBUTES = /^(class|style|data-.*|d|transform|x|y|width|height|src|srcset)$/;

axs.outdated = (record) => {
  if (record.type === "childList") structure++;
  else if (record.type === "characterData") wording++;
  else if (!PLAIN_ATTRIBUTES.test(record.attributeName)) naming++;
};
axs.restructured = () => structure++;

const kept = new WeakMap(); // root -> what is kept of it
const keptOf = (root) => {
  let known = kept.get(root);
  if (!known) kept.set(root, (known = { lists: new Map() }));
  return known;
};
// Open roots are heard of as they are made only where we were there before the page's scripts; markup makes them unheard.
const isKept = (root) => {
  const doc = root.ownerDocument ?? root;
  return axs.wasEarly(doc) && doc.readyState !== "loading";
};

// Elements of a root by a selector that reads no more than structure and attributes.
const elementsOf = (root, selector = "*") => {
  const { lists } = keptOf(root);
  const version = selector === "*" ? structure : `${structure} ${naming}`;
  let known = lists.get(selector);
  if (known?.version !== version) lists.set(selector, (known = { version, elements: Array.from(root.querySelectorAll(selector)) }));
  return known.elements;
};

// The same as a set.
const setOf = (root, selector) => {
  elementsOf(root, selector);
  const known = keptOf(root).lists.get(selector);
  return (known.set ??= new Set(known.elements));
};

// A document and the shadow roots in it.
const rootsOf = (doc) => {
  const known = keptOf(doc);
  if (known.roots?.version === structure && isKept(doc)) return known.roots.found;
  const found = [];
  const add = (root) => {
    axs.watch(root);
    found.push(root);
    for (const el of elementsOf(root)) {
      const shadow = axs.rootOf(el);
      if (shadow) add(shadow);
    }
  };
  add(doc);
  known.roots = { version: structure, found };
  return found;
};

// Text as titles are compared, as far as a look for words needs: case, compatibility, what cannot be seen.
const fold = (text) => {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.normalize("NFKC").replace(/\p{Cf}/gu, "").toLowerCase().replace(/\u0307/g, "").replace(/ß/g, "ss").replace(/ς/g, "σ").normalize("NFKC");
};
const squeeze = (folded) => folded.replace(/[\s!-/:-@[-`{-~]+/g, "");

const squeezed = new WeakMap(); // text node -> [its data then, the same squeezed]
const squeezedOf = (text) => {
  const known = squeezed.get(text);
  if (known && known[0] === text.data) return known[1];
  const own = squeeze(fold(text.data));
  squeezed.set(text, [text.data, own]);
  return own;
};

// The texts of a root: the nodes, all of them squeezed into one, and where each begins in that.
const textsOf = (root) => {
  const known = keptOf(root);
  const version = `${structure} ${wording}`;
  if (known.texts?.version === version) return known.texts;
  if (known.nodes?.version !== structure) {
    const nodes = [];
    const inner = (root.ownerDocument ?? root).createTreeWalker(root, 4);
    for (let text = inner.nextNode(); text; text = inner.nextNode()) nodes.push(text);
    known.nodes = { version: structure, nodes };
  }
  const { nodes } = known.nodes;
  const parts = nodes.map(squeezedOf);
  const starts = new Uint32Array(nodes.length + 1);
  parts.forEach((part, i) => (starts[i + 1] = starts[i] + part.length));
  return (known.texts = { version, nodes, starts, joined: parts.join("") });
};

// Which node holds a place in the joined texts.
const nodeAt = (starts, place) => {
  let low = 0;
  let high = starts.length - 1; // starts[low] <= place < starts[high]
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= place) low = middle;
    else high = middle;
  }
  return low;
};

// For each place where a word stands in the texts: the indices of the nodes in which it begins and ends.
function* standing({ joined, starts }, word) {
  for (let at = joined.indexOf(word); at >= 0; at = joined.indexOf(word, at + 1))
    yield [nodeAt(starts, at), nodeAt(starts, at + word.length - 1)];
}

const NAMING = "aria-label title alt placeholder value label aria-description aria-placeholder aria-valuetext aria-valuenow".split(" ");
const CALLED = NAMING.map((name) => `[${name}]`).join(",");
const VALUED = "input:not([type=checkbox],[type=radio],[type=hidden],[type=password],[type=button],[type=submit],[type=reset],[type=image],[type=file]),textarea,select,progress,meter";

// What names itself by attributes, with these squeezed.
const calledOf = (root) => {
  const known = keptOf(root);
  const version = `${structure} ${naming}`;
  if (known.called?.version !== version) {
    const entries = elementsOf(root, CALLED).map((el) => {
      const folded = fold(NAMING.filter((name) => el.hasAttribute(name)).map((name) => el.getAttribute(name)).join(" \n "));
      return [el, folded, squeeze(folded)];
    });
    known.called = { version, entries };
  }
  return known.called.entries;
};
