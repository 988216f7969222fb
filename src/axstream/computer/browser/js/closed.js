// Closed shadow roots in our world: which element has which, and which documents may have some that nobody handed over.
// Scripts' own come from handover.js as they are made; those of markup, and of before we came, through the debugger.

const closed = new WeakMap(); // host -> its closed root
const unsure = new Map(); // document -> the address of its markup, "" where all of it is to be looked through
let anyClosed = false;

axs.rootOf = (el) => el.shadowRoot ?? (anyClosed ? (closed.get(el) ?? null) : null);

axs.adopt = (root) => {
  if (root.nodeType !== 11 || !root.host) return;
  axs.restructured();
  if (root.mode === "open") return;
  anyClosed = true;
  closed.set(root.host, root);
};

// The slot that a node is shown in; the browser tells that of open roots only.
axs.slotOf = (node) => {
  if (node.assignedSlot || !anyClosed || !node.parentNode) return node.assignedSlot ?? null;
  const root = closed.get(node.parentNode);
  if (!root) return null;
  for (const slot of root.querySelectorAll("slot")) if (slot.assignedNodes().includes(node)) return slot;
  return null;
};

// Whether all roots of a document that scripts made were heard of.
const earlyDocuments = new WeakSet();
axs.wasEarly = (doc) => earlyDocuments.has(doc);

const DECLARES = /shadowrootmode/i;

// Where a document's markup can be searched for closed roots: null where there can be none, "" where only looking helps.
const markupOf = (doc) => {
  const { href, protocol } = doc.location;
  if (href === "about:srcdoc") return DECLARES.test(doc.defaultView.frameElement?.srcdoc ?? "shadowrootmode") ? "" : null;
  if (protocol === "about:") return null;
  if (protocol === "data:") return DECLARES.test(href) || /;base64,/.test(href) ? "" : null;
  return href;
};

// Take over the closed roots of a document and those to come.
axs.meet = (doc) => {
  const view = doc.defaultView;
  if (!view) return;
  let early = false;
  const take = (event) => {
    if (event.relatedTarget) axs.adopt(event.relatedTarget);
    else early = event.detail === 1;
  };
  view.addEventListener(config.hands, take);
  view.dispatchEvent(new Event(config.asks));
  if (early) earlyDocuments.add(doc);
  const markup = early ? markupOf(doc) : "";
  if (markup !== null) unsure.set(doc, markup);
};

// What is to be looked through or searched since this was asked last: null, or {look, search: addresses}.
axs.unsure = () => {
  if (!unsure.size) return null;
  const found = { look: false, search: [] };
  for (const [doc, markup] of unsure) {
    if (doc.readyState !== "loading" || !doc.defaultView) unsure.delete(doc); // markup that still comes is looked at again
    if (!doc.defaultView) continue;
    if (markup) found.search.push(markup);
    else found.look = true;
  }
  return found;
};
