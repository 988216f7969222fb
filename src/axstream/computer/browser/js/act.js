// Where one element can be acted on: bringing it there, hit tests, frames. What is put into it is in input.js.

const SHAKE_MS = 500; // how long something that never rests must have stayed in one place to be hit there
const STEP_MS = 30; // between two looks while something is in the way

const TAKES_CLICKS = "a[href], button, input, select, textarea, summary";

// Whether a click that lands on `hit` is one on `el`: itself, a part of it, its label.
axs.reaches = (el, hit) => {
  if (axs.holds(el, hit)) return true;
  if (el.localName === "iframe" || el.localName === "frame")
    for (let view = hit.ownerDocument.defaultView; view?.frameElement; view = view.parent) if (view.frameElement === el) return true;
  for (let node = hit; node; node = axs.parentOf(node)) {
    if (node.localName === "label" && node.control && (node.control === el || axs.holds(el, node.control))) return true;
    if (node.nodeType === 1 && node.matches(TAKES_CLICKS)) break; // a link in a label is not the label
  }
  return false;
};

const elementOf = (node) => (node.nodeType === 3 ? node.parentElement : node);

// The picture that an area is a part of; null for all other elements and for areas of pictures that are not shown.
const pictureOf = (el) => {
  const map = el.localName === "area" ? el.closest("map") : null;
  if (!map?.name) return null;
  const picture = Array.from(map.getRootNode().querySelectorAll("img[usemap]")).find((img) => img.useMap === `#${map.name}`);
  return picture?.getClientRects().length ? picture : null;
};

// The box of an area, in client coordinates of its document.
axs.areaRect = (el) => {
  const picture = pictureOf(el);
  if (!picture) return null;
  const rect = picture.getBoundingClientRect();
  const { left, top } = rect; // Chromium counts from the outside of its border
  const at = el.coords.split(",").map(Number);
  if (el.shape === "default") return rect;
  if (el.shape === "circle") return new DOMRect(left + at[0] - at[2], top + at[1] - at[2], 2 * at[2], 2 * at[2]);
  const xs = at.filter((_, i) => i % 2 === 0);
  const ys = at.filter((_, i) => i % 2 === 1);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const box = new DOMRect(left + x, top + y, Math.max(...xs) - x, Math.max(...ys) - y);
  return Number.isFinite(box.width) && Number.isFinite(box.height) ? box : null;
};

// A straight line of a drawing has no height but that of its stroke.
const withStroke = (el, rect) => {
  const half = rect.width < 1 || rect.height < 1 ? (parseFloat(getComputedStyle(el).strokeWidth) || 0) / 2 : 0;
  return half ? new DOMRect(rect.x - half, rect.y - half, rect.width + 2 * half, rect.height + 2 * half) : rect;
};

const rectsOf = (node) => {
  let rects;
  if (node.nodeType === 3) {
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    rects = range.getClientRects();
  } else if (node.localName === "area") {
    rects = [axs.areaRect(node)].filter(Boolean);
  } else {
    rects = node.namespaceURI === SVG ? Array.from(node.getClientRects(), (rect) => withStroke(node, rect)) : node.getClientRects();
  }
  return Array.from(rects).filter((rect) => rect.width >= 1 && rect.height >= 1);
};

// The part of a rectangle (client coordinates of its document) that scrolling ancestors and frames leave visible.
const visiblePart = (el, rect) => {
  let box = [rect.left, rect.top, rect.right, rect.bottom];
  let positioned = getComputedStyle(el).position;
  for (let node = axs.parentOf(el); node; node = axs.parentOf(node)) {
    if (node.nodeType !== 1) continue;
    if (node.localName === "html" || node.localName === "body" || positioned === "fixed") break;
    const style = getComputedStyle(node);
    const carries = style.position !== "static" || style.transform !== "none";
    if (positioned === "absolute" && !carries) continue;
    if (style.overflowX !== "visible" || style.overflowY !== "visible") {
      const outer = node.getBoundingClientRect();
      box = clipTo(box, [outer.left, outer.top, outer.right, outer.bottom]);
    }
    if (carries || style.position === "fixed") positioned = style.position;
  }
  const view = el.ownerDocument.defaultView;
  box = clipTo(box, [0, 0, view.innerWidth, view.innerHeight]);
  const at = axs.placeOf(el.ownerDocument);
  const inRoot = [at.x + at.s * box[0], at.y + at.s * box[1], at.x + at.s * box[2], at.y + at.s * box[3]];
  let clip = axs.port ?? [0, 0, innerWidth, innerHeight];
  for (let v = view; v.frameElement; v = v.parent) {
    const outer = v.frameElement.getBoundingClientRect();
    const p = axs.placeOf(v.frameElement.ownerDocument);
    clip = clipTo(clip, [p.x + p.s * outer.left, p.y + p.s * outer.top, p.x + p.s * outer.right, p.y + p.s * outer.bottom]);
  }
  return clipTo(inRoot, clip);
};

const isEmpty = (box) => box[2] - box[0] < 1 || box[3] - box[1] < 1;

// Points to try, the middle first: what is covered in part is clicked where it can be seen.
const pointsIn = (box) => {
  const [l, t, r, b] = box;
  const at = (fx, fy) => [l + (r - l) * fx, t + (b - t) * fy];
  return [at(0.5, 0.5), at(0.25, 0.5), at(0.75, 0.5), at(0.5, 0.2), at(0.5, 0.8), at(0.1, 0.2), at(0.9, 0.8)];
};

// What the boxes of the last part of the wait have in common: where something that shakes can be hit all the same (Z17).
const stayedIn = (seen, timeoutMs) => {
  const since = performance.now() - Math.min(SHAKE_MS, timeoutMs * 0.75);
  const recent = seen.filter((one) => one.at >= since).map((one) => one.box);
  const common = recent.length > 2 ? recent.reduce(clipTo) : null;
  return common && !isEmpty(common) ? common : null;
};

const sameBox = (a, b) => a.every((n, i) => Math.abs(n - b[i]) < 0.5);

// Return {x, y, kind} in client coordinates of this local root, or {gone} or {problem}.
axs.prepare = async (handle, purpose, timeoutMs, port) => {
  axs.port = port;
  const end = performance.now() + timeoutMs;
  const node = axs.nodeOf(handle);
  if (!node) return { gone: true };
  const meant = elementOf(node);
  const option = node.localName === "option" && axs.isDropdown(node.closest("select")) && rectsOf(node).length === 0;
  const el = option ? node.closest("select") : meant;
  const needsEnabled = purpose !== "move" && purpose !== "drop";
  if (needsEnabled) axs.disarm();
  const seen = []; // where it was, while it moves
  const turns = ["center", "end", "start"]; // where it is scrolled to, one after the other, while it cannot be reached
  const scroll = () => (pictureOf(el) ?? el).scrollIntoView({ block: turns.shift(), inline: "center", behavior: "instant" });
  let problem = "";
  for (let first = true; first || performance.now() < end; first = false) {
    if (!first) await Promise.race([axs.sleep(STEP_MS), afterFrames(1)]);
    if (!axs.nodeOf(handle)) return { gone: true };
    if (needsEnabled && (axs.isDisabled(el) || (option && (node.disabled || node.parentElement.disabled)))) {
      problem = "is disabled";
      continue;
    }
    if (purpose === "type" && (el.readOnly || el.getAttribute("aria-readonly") === "true")) {
      problem = "is read-only";
      continue;
    }
    let box = currentBox(node, el, option);
    if (!box) {
      problem = "is not displayed";
      continue;
    }
    if ((isEmpty(box) && turns.length) || (turns.length === 3 && !isMostlySeen(el, node, box))) {
      scroll();
      box = currentBox(node, el, option);
    }
    if (!box || isEmpty(box)) {
      problem = "cannot be scrolled into view";
      continue;
    }
    if (!axs.surelyRests(el)) {
      await afterFrames(2);
      if (!axs.nodeOf(handle)) return { gone: true };
      const later = currentBox(node, el, option);
      if (!later || !sameBox(box, later)) {
        problem = "does not stop moving";
        if (later) seen.push({ at: performance.now(), box: clipTo(box, later) });
        if (performance.now() + STEP_MS < end) continue;
        box = stayedIn(seen, timeoutMs);
        if (!box) break;
      }
    }
    let cover = null;
    for (const [x, y] of pointsFor(el, box, purpose)) {
      const hit = axs.hit(x, y);
      if (hit && axs.reaches(el, hit)) {
        const slipped = needsEnabled ? axs.arm(el, purpose) : "";
        return slipped ? { slipped } : { x, y, kind: option || isOneOfMany(meant) ? "option" : "" };
      }
      cover ??= hit;
    }
    if (turns.length) scroll(); // from under what stays in its place while the page scrolls
    if (getComputedStyle(el).pointerEvents === "none") problem = "takes no pointer (`pointer-events: none`)";
    else problem = cover ? `is covered by ${axs.sayElement(cover)}` : "cannot be reached at any point";
  }
  return { problem: `${axs.sayElement(meant)} ${problem}` };
};

// Points to try for an element, one after the other.
const pointsFor = function* (el, box, purpose) {
  // To type into a slider must not move it first: its thumb takes the click.
  if (purpose === "type" && el.localName === "input" && el.type === "range") yield sliderPoint(el, el.value);
  yield* pointsIn(box);
  if (el.namespaceURI === SVG) yield* pointsOnShapes(el);
  // A control too small to be seen is clicked at its label, as a person does.
  for (const label of el.labels ?? [])
    for (const rect of rectsOf(label)) {
      const part = visiblePart(label, rect);
      if (!isEmpty(part)) yield* pointsIn(part);
    }
};

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "path, line, polyline, polygon, circle, ellipse, rect";
const MOST_SHAPES = 8; // of a group

// Points on the outline of what a drawing shows: a line or a ring fills little of its box.
const pointsOnShapes = function* (el) {
  const shapes = el.getPointAtLength ? [el] : Array.from(el.querySelectorAll(SHAPES)).slice(0, MOST_SHAPES);
  for (const shape of shapes) {
    const place = axs.placeOf(shape.ownerDocument);
    const onScreen = shape.getScreenCTM();
    const length = shape.getTotalLength();
    for (const share of onScreen && length ? [0.5, 0.25, 0.75, 0.05] : []) {
      const at = new DOMPoint(...["x", "y"].map((axis) => shape.getPointAtLength(length * share)[axis])).matrixTransform(onScreen);
      yield [place.x + place.s * at.x, place.y + place.s * at.y];
    }
  }
};

const isOneOfMany = (el) => el.localName === "option" && Boolean(el.closest("select")?.multiple);

const currentBox = (node, el, option) => {
  const rects = rectsOf(option ? el : node);
  if (!rects.length || getComputedStyle(el).visibility !== "visible") return null;
  for (const rect of rects) {
    const part = visiblePart(el, rect);
    if (!isEmpty(part)) return part;
  }
  return visiblePart(el, rects[0]);
};

// Whether the middle of the element can be seen, or more than half of it: then nothing needs to scroll.
const isMostlySeen = (el, node, box) => {
  const rect = rectsOf(node)[0] ?? el.getBoundingClientRect();
  const s = axs.placeOf(el.ownerDocument).s;
  return (box[2] - box[0]) * (box[3] - box[1]) >= 0.5 * Math.min(rect.width * s, innerWidth) * Math.min(rect.height * s, innerHeight);
};

// A node for one element, in the shape of `Node`, with its box in client coordinates of this local root.
axs.nodeFor = (el) => {
  const role = axs.roleOf(el);
  const name = role === "generic" ? axs.nameOf(el) || axs.ownText(el, SAID_LIMIT) : axs.nameFor(el, role);
  const node = axs.fieldsOf(el, role, name);
  const at = axs.placeOf(el.ownerDocument);
  const rect = el.getBoundingClientRect();
  node.box = [round(at.x + at.s * rect.left), round(at.y + at.s * rect.top), round(at.s * rect.width), round(at.s * rect.height)];
  if (axs.isDisabled(el)) node.enabled = false;
  if (el === axs.focusedElement()) node.focused = true;
  return node;
};

// What a click at a point would reach (Z22): the control that holds the thing hit, else the thing itself.
axs.at = (x, y) => {
  const hit = axs.hit(x, y);
  if (!hit || hit.localName === "html" || hit.localName === "body") return null;
  if ((hit.localName === "iframe" || hit.localName === "frame") && !axs.contentDocument(hit))
    return { remote: axs.handleOf(hit) };
  for (let node = hit; node && node.nodeType !== 9; node = axs.parentOf(node)) {
    if (node.nodeType !== 1 || node.localName === "body" || node.localName === "html") continue;
    if (node.localName === "label" && node.control) return { node: axs.nodeFor(node.control) };
    if (interactiveRoles.has(axs.roleOf(node)) || axs.isEditableHost(node) || node.hasAttribute("onclick")) return { node: axs.nodeFor(node) };
  }
  for (let node = hit; node && node.nodeType !== 9; node = axs.parentOf(node)) {
    if (node.nodeType !== 1 || node.localName === "body" || node.localName === "html") continue;
    const role = axs.roleOf(node);
    if (role !== "generic" && role !== "text" && axs.nameFor(node, role)) return { node: axs.nodeFor(node) };
  }
  const node = axs.nodeFor(hit);
  return node.role === "generic" && !node.name ? null : { node };
};

// Where the inside of a frame of another process lies in client coordinates of this local root, and what is seen of it.
axs.frameInside = (handle) => {
  const el = axs.nodeOf(handle);
  if (!el) return null;
  const inside = axs.insideOf(el);
  const at = axs.placeOf(el.ownerDocument);
  const clip = visiblePart(el, el.getBoundingClientRect());
  return { x: at.x + at.s * inside.x, y: at.y + at.s * inside.y, s: at.s * inside.s, clip };
};

// Whether a point of this local root reaches a frame element; else what is in the way.
axs.reachesFrame = (handle, x, y, purpose) => {
  const el = axs.nodeOf(handle);
  const hit = axs.hit(x, y);
  if (!el || !hit || !axs.holds(el, hit)) return hit ? axs.sayElement(hit) : "nothing";
  if (purpose !== "move" && purpose !== "drop") axs.armFrame(el, purpose);
  return "";
};

axs.intoView = (handle) => {
  const el = axs.nodeOf(handle);
  el?.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  return Boolean(el);
};

axs.size = () => [innerWidth, innerHeight];

// Hear whether the page answers a right click at a point with a menu of its own (it prevents the browser's).
axs.armMenu = (x, y) => {
  const hit = axs.hit(x, y);
  const view = hit?.ownerDocument.defaultView ?? window;
  axs.menu = null;
  view.addEventListener("contextmenu", (event) => (axs.menu = event), { capture: true, once: true });
  return { remote: hit && isRemoteFrame(hit) ? axs.handleOf(hit) : "" };
};
axs.menuLeft = () => axs.menu !== null && !axs.menu.defaultPrevented;
