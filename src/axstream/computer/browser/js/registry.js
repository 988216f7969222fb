// Handles of nodes, and where documents lie in the viewport. Nothing is walked or acted on here.
// Runs in an isolated world of the page: page scripts neither see nor disturb it. `axs` and `config` are in scope.

const world = Array.from(crypto.getRandomValues(new Uint8Array(5)), (b) => b.toString(16).padStart(2, "0")).join("");
const handles = new WeakMap();
const held = new Map(); // handle -> WeakRef; an entry goes when its node was collected
const dropped = new FinalizationRegistry((handle) => held.delete(handle));
const documents = new WeakMap();
let lastNode = 0;
let lastDocument = 0;

axs.world = world;
axs.blink = "computedName" in Element.prototype;

axs.documentId = (doc) => {
  let id = documents.get(doc);
  if (!id) documents.set(doc, (id = `${world}.${++lastDocument}`));
  return id;
};

// A handle is never given to a second node; the same node keeps its handle.
axs.handleOf = (node) => {
  let handle = handles.get(node);
  if (!handle) {
    const doc = node.nodeType === 9 ? node : node.ownerDocument;
    handle = `${axs.documentId(doc)}.${node.nodeType === 9 ? 0 : ++lastNode}`;
    handles.set(node, handle);
    held.set(handle, new WeakRef(node));
    dropped.register(node, handle);
  }
  return handle;
};

// The live node of a handle, or null where it left its document or its document was left.
axs.nodeOf = (handle) => {
  const node = held.get(handle)?.deref();
  if (!node || !node.isConnected) return null;
  const doc = node.nodeType === 9 ? node : node.ownerDocument;
  return doc.defaultView ? node : null;
};

axs.isThere = (handle) => axs.nodeOf(handle) !== null;

axs.parentOf = (node) => axs.slotOf(node) ?? node.parentNode ?? node.host ?? null;

// Whether `inner` is `outer` or inside it, through shadow roots and slots.
axs.holds = (outer, inner) => {
  for (let node = inner; node; node = axs.parentOf(node)) {
    if (node === outer) return true;
  }
  return false;
};

// Where elements stand in their documents, for one walk: a hash of tag, place among its like and their number, up to
// the root. The same place is the same hash, also when what stands there was drawn anew.
axs.places = () => {
  const hashes = new Map();
  const counts = new Map(); // parent -> child -> "place/number"
  const countOf = (parent, el) => {
    let known = counts.get(parent);
    if (!known) {
      const lists = new Map();
      for (const kid of parent.children) {
        const list = lists.get(kid.localName);
        if (list) list.push(kid);
        else lists.set(kid.localName, [kid]);
      }
      known = new Map();
      for (const list of lists.values()) list.forEach((kid, i) => known.set(kid, `${i}/${list.length}`));
      counts.set(parent, known);
    }
    return known.get(el) ?? "";
  };
  const hashOf = (el) => {
    let hash = hashes.get(el);
    if (!hash) {
      const parent = el.parentNode ?? el.host ?? null;
      const own = el.nodeType === 1 ? `${el.localName}${parent ? countOf(parent, el) : ""}` : `#${el.nodeType}`;
      let [one, two] = parent ? hashOf(parent) : [0x811c9dc5, 0x2f0b4a27];
      for (let i = 0; i < own.length; i++) {
        one = Math.imul(one ^ own.charCodeAt(i), 0x01000193);
        two = Math.imul(two ^ own.charCodeAt(i), 0x5bd1e995) ^ (two >>> 15);
      }
      hashes.set(el, (hash = [one, two]));
    }
    return hash;
  };
  return { of: (el) => hashOf(el).map((part) => (part >>> 0).toString(36)).join(".") };
};

axs.contentDocument = (el) => {
  try {
    return el.contentDocument ?? null;
  } catch {
    return null;
  }
};

// The inside of a frame element in its parent's client coordinates: left, top, scale.
axs.insideOf = (el) => {
  const rect = el.getBoundingClientRect();
  const scale = el.offsetWidth ? rect.width / el.offsetWidth : 1;
  const style = getComputedStyle(el);
  return {
    x: rect.left + (el.clientLeft + parseFloat(style.paddingLeft)) * scale,
    y: rect.top + (el.clientTop + parseFloat(style.paddingTop)) * scale,
    s: scale,
  };
};

// Where a document's client coordinates lie in those of the local root: p -> x + s * p.x, y + s * p.y.
axs.placeOf = (doc) => {
  const steps = [];
  for (let view = doc.defaultView; view && view.frameElement; view = view.parent) steps.push(axs.insideOf(view.frameElement));
  let place = { x: 0, y: 0, s: 1 };
  for (const step of steps.reverse()) place = { x: place.x + place.s * step.x, y: place.y + place.s * step.y, s: place.s * step.s };
  return place;
};

// What a point reaches in the shadow root of an element: the element itself where it is none of that.
axs.hitIn = (host, x, y) => {
  const root = axs.rootOf(host);
  const hit = root?.elementFromPoint(x, y);
  if (hit && hit !== host) return hit;
  // Text that is slotted counts as the host's, whatever in the root it stands in.
  const first = root?.elementsFromPoint(x, y)[0];
  return first?.getRootNode() === root ? first : host;
};

// The element that a point of the local root reaches, through frames of this process and shadow roots.
axs.hit = (x, y) => {
  let hit = document.elementFromPoint(x, y);
  while (hit) {
    const inner = axs.hitIn(hit, x, y);
    const doc = inner === hit && (hit.localName === "iframe" || hit.localName === "frame") ? axs.contentDocument(hit) : null;
    if (doc) {
      const inside = axs.insideOf(hit);
      x = (x - inside.x) / inside.s;
      y = (y - inside.y) / inside.s;
      const found = doc.elementFromPoint(x, y);
      if (!found) return hit;
      hit = found;
    } else if (inner === hit) {
      return hit;
    } else {
      hit = inner;
    }
  }
  return null;
};

// What has the focus, through shadow roots and frames of this process.
axs.focusedElement = () => {
  let el = document.activeElement;
  for (;;) {
    const inside = el && axs.rootOf(el)?.activeElement;
    if (inside) el = inside;
    else if (el && (el.localName === "iframe" || el.localName === "frame") && axs.contentDocument(el)?.activeElement)
      el = axs.contentDocument(el).activeElement;
    else return el;
  }
};

axs.clean = (text) => text.replace(/[\s\u00a0]+/g, " ").trim();
