// The walk of one local root: its document, shadow roots and the frames of this process, in document order.
// Returns nodes in the shape of `Node`; static text is folded by block; cut short by a budget it says so (O2).
// `view` enters what is on the screen and counts the rest; `find` enters what may fit a target; else all is walked.

const SKIPPED = new Set(
  "script style noscript template head meta link title base param source track col colgroup datalist defs symbol clipPath mask pattern linearGradient radialGradient filter metadata desc option optgroup rp".split(" "),
);
// Roles that are worth a line without being acted on; the others only hold what is in them.
const STRUCTURE = new Set(
  "alert alertdialog application article banner cell columnheader complementary contentinfo dialog feed grid heading list listbox listitem log main marquee math menu menubar meter navigation progressbar radiogroup row rowheader search status table tablist tabpanel timer toolbar tooltip tree treegrid iframe canvas video audio".split(" "),
);
const STRUCTURE_IF_NAMED = new Set("figure form group img region rowgroup".split(" "));
const CONTAINERS = new Set(
  "alertdialog application banner complementary contentinfo dialog document feed form grid iframe list listbox main menu menubar navigation radiogroup region rowgroup search table tablist tabpanel toolbar tree treegrid".split(" "),
);
const POPUP_ROLES = new Set(["menu", "listbox", "tooltip", "tree", "grid", "dialog"]);
const SAID_LIMIT = 160; // a cell or item that says more than this holds a page's layout, not a name
const TOLD_OPTIONS = 12; // options of a closed list that are worth telling: what saves a burst, and costs a line each
const TEXT_LIMIT = 6000; // characters of one block of text
const CLOCK_EVERY = 64; // elements between two looks at the clock
// What may stand in a line of text: entered with the line, since the line is one text.
const PHRASING = new Set(
  "a abbr b bdi bdo big br cite code data del dfn em font i img ins kbd label mark meter nobr output progress q s samp slot small span strike strong sub sup svg time tt u var wbr".split(" "),
);

const round = (n) => Math.round(n * 10) / 10;
const clipTo = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
const clips = (overflow) => overflow !== "visible";

axs.walkedAt = 0; // on performance.now()'s clock

axs.walk = (options) => {
  axs.walkedAt = performance.now();
  const origin = options.origin ?? { x: 0, y: 0, s: 1 };
  const nodes = [];
  const remote = [];
  const deadline = performance.now() + options.ms;
  const at = axs.look();
  const places = axs.places();
  const focused = axs.focusedElement();
  let cut = "";
  let seen = 0;
  let run = null; // the block of text that is being folded
  let modal = -1;
  let left = false; // something was not entered
  const mask = options.view || options.find ? emptyMask() : null;
  const known = axs.markHandles(mask, options.handles);

  const over = () => {
    if (cut) return true;
    if (nodes.length >= options.nodes) cut = `the page was walked up to ${options.nodes} elements; the rest is left out`;
    else if (++seen % CLOCK_EVERY === 0 && performance.now() > deadline)
      cut = `the page was walked for ${options.ms} ms; the rest is left out`;
    return cut !== "";
  };

  // Box in viewport pixels; whether something of it can be seen.
  const place = (node, rect, ctx, el) => {
    const { x, y, s } = ctx.place;
    const left = x + rect.left * s;
    const top = y + rect.top * s;
    const width = rect.width * s;
    const height = rect.height * s;
    node.box = [round(left), round(top), round(width), round(height)];
    const seenBox = clipTo(ctx.clip, [left, top, left + width, top + height]);
    const visible = seenBox[2] - seenBox[0] >= 1 && seenBox[3] - seenBox[1] >= 1;
    if (!visible) {
      node.onscreen = false;
      const counted = wayOut({ left, top, right: left + width, bottom: top + height }, ...ctx.frame) >= 0;
      if (options.view && !counted) {
        const clip = ctx.frame.map((edge, side) => (edge - (side % 2 ? y : x)) / s);
        count(mask, axs.regionOf(mask, el, rect, clip), node.interactive ? 1 : 0, node.interactive ? 0 : 1);
      }
    }
    return visible ? seenBox : null;
  };

  const flush = () => {
    const done = run;
    run = null;
    if (!done) return;
    const text = axs.clean(done.text).slice(0, TEXT_LIMIT);
    if (!text || done.ctx.said.includes(text)) return;
    const range = done.first.ownerDocument.createRange();
    range.setStartBefore(done.first);
    range.setEndAfter(done.last);
    const node = { handle: axs.handleOf(done.first), role: "text", parent: done.ctx.parent, document: done.ctx.document, name: text };
    place(node, range.getBoundingClientRect(), done.ctx, done.first);
    nodes.push(node);
  };

  const addText = (text, ctx) => {
    if (!ctx.visible) return;
    if (!/\S/.test(text.data)) {
      if (run) run.text += " ";
      return;
    }
    if (run && run.ctx.parent === ctx.parent && run.ctx.document === ctx.document) {
      run.text += text.data;
      run.last = text;
    } else {
      flush();
      run = { text: text.data, first: text, last: text, ctx };
    }
  };

  const children = (el, ctx) => {
    let kids = (axs.rootOf(el) ?? el).childNodes;
    if (el.localName === "slot") {
      const assigned = el.assignedNodes();
      if (assigned.length) kids = assigned;
    }
    const closed = el.localName === "details" && !el.open;
    if (mask && mask.whole.has(el) && !ctx.all) ctx = { ...ctx, all: true };
    for (const kid of kids) {
      if (over()) return;
      if (closed && kid.localName !== "summary") continue;
      if (kid.nodeType === 3) addText(kid, ctx);
      else if (kid.nodeType === 1) {
        const how = !mask || mask.marked.has(kid) ? ctx : unmarked(kid, ctx, kids);
        if (how) visit(kid, how);
      }
    }
  };

  // How an element that is not marked is entered: with all that is in it, or (null) not at all.
  const unmarked = (el, ctx, kids) => {
    if (ctx.all ? !axs.isRow(el) || mask.whole.has(el) : inLine(el, kids)) return ctx.all ? ctx : { ...ctx, all: true };
    left = true;
    if (options.view && ctx.parent === nodes.length - 1 && !run && ctx.parent >= 0 && nodes[ctx.parent].begins_acting === undefined) {
      const begins = axs.beginsActing(el);
      if (begins !== null) nodes[ctx.parent].begins_acting = begins;
    }
    if (run && el.checkVisibility()) flush();
    return null;
  };

  // Whether an element may be part of a line of text; links and labels that show are lines of their own.
  const inLine = (el, kids) => {
    const tag = el.localName;
    if (tag === "label" || (tag === "a" && el.hasAttribute("href"))) return !el.checkVisibility({ visibilityProperty: true });
    if (PHRASING.has(tag)) return true;
    if (!tag.includes("-") && !isMixed(kids)) return false;
    return /^(inline|contents)$/.test(getComputedStyle(el).display);
  };

  // Whether text stands directly among the children of an element (asked again and again for the same list).
  let asked = null;
  let mixed = false;
  const isMixed = (kids) => {
    if (kids !== asked) {
      asked = kids;
      mixed = false;
      for (const kid of kids) if (kid.nodeType === 3 && /\S/.test(kid.data)) mixed = true;
    }
    return mixed;
  };

  // Whether a click reaches the element, its parts or its own label at the middle of what can be seen of it.
  const isCovered = (el, box, ctx) => {
    const x = ((box[0] + box[2]) / 2 - ctx.place.x) / ctx.place.s;
    const y = ((box[1] + box[3]) / 2 - ctx.place.y) / ctx.place.s;
    let hit = el.ownerDocument.elementFromPoint(x, y);
    while (hit && hit !== el) {
      const inner = axs.hitIn(hit, x, y);
      if (inner === hit) break;
      hit = inner;
    }
    return hit !== null && !axs.reaches(el, hit);
  };

  const options_of = (select, parent, ctx, enabled) => {
    const dropdown = axs.isDropdown(select);
    // A closed list shows nothing; a short one is told all the same, a long one once it has the focus.
    const told = ctx.shown && (select.options.length <= TOLD_OPTIONS || select === focused);
    for (const option of select.options) {
      if (over()) return;
      const node = axs.fieldsOf(option, "option", axs.clean(option.label));
      node.parent = parent;
      if (!enabled || option.parentElement.disabled) node.enabled = false;
      const rect = option.getBoundingClientRect();
      if (dropdown && !rect.width) {
        if (!told) node.onscreen = false;
      } else place(node, rect, ctx, option);
      nodes.push(node);
    }
  };

  const label = (el, ctx) => {
    const control = el.control;
    const text = axs.ownText(el, SAID_LIMIT);
    flush();
    if (text && ctx.visible) {
      const node = { handle: axs.handleOf(el), role: "text", parent: ctx.parent, document: ctx.document, name: text };
      if (control) node.label_for = axs.handleOf(control);
      place(node, el.getBoundingClientRect(), ctx, el);
      nodes.push(node);
    }
    children(el, { ...ctx, said: `${ctx.said} ${text}` });
    flush();
  };

  // Why an element without a role to act on is one to act on all the same; "" where it is not.
  const clickable = (el, style, ctx) => {
    if (el.hasAttribute("onclick") || el.hasAttribute("onmousedown") || el.hasAttribute("onpointerdown")) return "handler";
    if (el.tabIndex >= 0 && el.hasAttribute("tabindex")) return "tabindex";
    if (style.cursor === "pointer" && !ctx.pointer && !ctx.acting) return "cursor";
    return "";
  };

  // What a person would call a thing to act on that has no name: the text in it, unless it is a container.
  const readable = (el, role, why) => {
    if (!why || CONTAINERS.has(role)) return "";
    const text = axs.ownText(el, SAID_LIMIT + 1);
    return text.length <= SAID_LIMIT ? text : why === "tabindex" ? "" : `${text.slice(0, SAID_LIMIT)}…`;
  };

  const frame = (el, index, ctx) => {
    const rect = axs.insideOf(el);
    const { x, y, s } = ctx.place;
    const inner = { x: x + s * rect.x, y: y + s * rect.y, s: s * rect.s };
    const clip = clipTo(ctx.clip, [inner.x, inner.y, inner.x + el.clientWidth * inner.s, inner.y + el.clientHeight * inner.s]);
    const doc = axs.contentDocument(el);
    if (!doc) {
      remote.push({ index, handle: nodes[index].handle, origin: { ...inner, clip } });
      return;
    }
    nodes[index].url = doc.location.href;
    root(doc, index, inner, clip);
  };

  const root = (doc, parent, at, clip) => {
    axs.watch(doc);
    const document = axs.documentId(doc);
    if (options.view) axs.markView(mask, doc, clip.map((edge, side) => (edge - (side % 2 ? at.y : at.x)) / at.s));
    if (options.find) {
      const roots = rootsOf(doc);
      axs.markAlways(mask, roots);
      axs.markWords(mask, roots, options.find.words, false);
      axs.markWords(mask, roots, options.find.within, true);
    }
    const ctx = { parent, document, place: at, clip, abs: clip, port: clip, frame: clip, visible: true, pointer: false, acting: false, said: "" };
    if (doc.documentElement) visit(doc.documentElement, ctx);
    flush();
  };

  const visit = (el, ctx) => {
    const tag = el.localName;
    if (SKIPPED.has(tag)) return;
    if (tag === "br") {
      if (run) run.text += " ";
      return;
    }
    const style = getComputedStyle(el);
    if (style.display === "none" && !(tag === "area" && axs.areaRect(el))) return; // an area is displayed by its picture
    if (el.getAttribute("aria-hidden") === "true") return;
    if (style.contentVisibility === "hidden") return;
    const shadow = axs.rootOf(el);
    if (shadow) axs.watch(shadow);
    if (tag === "label") return label(el, inside(el, style, ctx));
    const role = axs.roleOf(el);
    const visible = style.visibility === "visible";
    const shown = visible && !(tag === "input" && el.type === "hidden");
    let why = interactiveRoles.has(role) ? "role" : axs.isEditableHost(el) ? "editable" : "";
    if (!why && tag !== "html" && tag !== "body") why = clickable(el, style, ctx);
    const block = style.display !== "inline" && style.display !== "contents";
    let name = "";
    let keep = shown && (why !== "" || STRUCTURE.has(role));
    if (keep || (shown && STRUCTURE_IF_NAMED.has(role)) || role === "generic") {
      if (role !== "generic") name = axs.nameFor(el, role);
      keep ||= name !== "" && shown && STRUCTURE_IF_NAMED.has(role);
    }
    if (keep && !why && ctx.said && (role === "img" || role === "heading") && ctx.said.includes(name)) keep = false;
    if (keep && why !== "role" && !name) name = axs.nameOf(el) || readable(el, role, why);
    if (!keep) {
      if (block) flush();
      const within = inside(el, style, ctx);
      within.pointer = style.cursor === "pointer";
      children(el, within);
      if (block) flush();
      return;
    }
    keepNode(el, style, role, name, why, ctx);
  };

  const keepNode = (el, style, role, name, why, ctx) => {
    flush();
    const says = axs.saysContent.has(role) || (why !== "" && role === "generic");
    if (/^(cell|gridcell|columnheader|rowheader)$/.test(role) && name.length > SAID_LIMIT) name = "";
    const node = axs.fieldsOf(el, role, name);
    const index = nodes.length;
    node.parent = ctx.parent;
    if (why) node.interactive = true;
    if (ctx.disabled) node.enabled = false;
    if (el === focused) node.focused = true;
    if (known.has(el)) node.changed = axs.changedNear(el);
    if (why) {
      node.place = places.of(el);
      const since = axs.since(el);
      if (since) node.since = since;
    }
    const seenBox = place(node, axs.areaRect(el) ?? el.getBoundingClientRect(), ctx, el);
    if (node.modal && seenBox) modal = index;
    if (isPopup(el, role, style)) node.popup = node.active = true;
    if (options.cover && seenBox && why && isCovered(el, seenBox, ctx)) node.covered = true;
    nodes.push(node);
    if (role === "iframe") return frame(el, index, ctx);
    const within = inside(el, style, ctx);
    within.parent = index;
    within.shown = seenBox !== null;
    within.pointer = style.cursor === "pointer";
    within.acting = ctx.acting || (why !== "" && role !== "listbox" && why !== "tabindex");
    within.said = says ? name : node.editable ? node.value ?? "" : "";
    if (mask && why === "cursor") within.all = true; // what it stands for is decided by all that is in it
    if (el.localName === "select") options_of(el, index, within, node.enabled !== false);
    else if (el.localName !== "textarea" && !(el.localName === "svg" && name)) children(el, within);
    flush();
    if (why === "cursor") drop(index, name);
  };

  // A pointer cursor over one control is that control's; the wrapper says nothing of its own.
  const drop = (index, name) => {
    const inner = nodes.slice(index + 1).find((node) => node.interactive);
    if (!inner || (name && inner.name !== name)) return;
    const parent = nodes[index].parent;
    nodes.splice(index, 1);
    for (let at = index; at < nodes.length; at++)
      if (nodes[at].parent === index) nodes[at].parent = parent;
      else if (nodes[at].parent > index) nodes[at].parent--;
    for (const place of remote) if (place.index > index) place.index--;
    if (modal > index) modal--;
  };

  const isPopup = (el, role, style) => {
    if (el.hasAttribute("popover") && el.matches(":popover-open")) return true;
    if (!POPUP_ROLES.has(role) || role === "dialog") return false;
    for (let node = el; node && node.nodeType === 1; node = axs.parentOf(node)) {
      const position = node === el ? style.position : getComputedStyle(node).position;
      if (position === "absolute" || position === "fixed") return true;
      if (node.localName === "body" || (node !== el && /^(menubar|navigation|dialog)$/.test(node.getAttribute("role") ?? ""))) return false;
    }
    return false;
  };

  // What holds inside an element: what clips it, whether it can be seen, whether it is disabled.
  const inside = (el, style, ctx) => {
    const next = { ...ctx, visible: style.visibility === "visible" && style.opacity !== "0" };
    if (el.inert || el.getAttribute("aria-disabled") === "true") next.disabled = true;
    const position = style.position;
    let clip = ctx.clip;
    if (position === "fixed") clip = ctx.port;
    else if (position === "absolute") clip = ctx.abs;
    if ((clips(style.overflowX) || clips(style.overflowY)) && el.localName !== "body" && el.localName !== "html") {
      const rect = el.getBoundingClientRect();
      const { x, y, s } = ctx.place;
      clip = clipTo(clip, [x + rect.left * s, y + rect.top * s, x + rect.right * s, y + rect.bottom * s]);
    }
    next.clip = clip;
    if (position !== "static" || style.transform !== "none") next.abs = clip;
    if (style.transform !== "none") next.port = clip;
    return next;
  };

  const port = origin.clip ?? [0, 0, innerWidth, innerHeight];
  if (!options.inner) {
    nodes.push({
      handle: axs.handleOf(document), role: "document", document: axs.documentId(document), name: axs.clean(document.title),
      url: location.href, active: true, box: [0, 0, innerWidth, innerHeight],
    });
  }
  root(document, options.inner ? -1 : 0, origin, port);
  if (modal >= 0) nodes[modal].active = true;
  return JSON.stringify({
    world: axs.world, nodes, remote, notes: cut ? [cut] : [], title: document.title, url: location.href,
    width: innerWidth, height: innerHeight, complete: cut === "" && !left, at, unsure: axs.unsure(),
    more: options.view ? Array.from(mask.left.values()) : [],
  });
};
