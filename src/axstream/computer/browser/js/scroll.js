// What a wheel moves: where the scrollers under a point stand before it and after, and whether the page takes it.
// Nothing is scrolled here.

const BEGIN_MS = 150; // a wheel that moves anything has begun to by then
const STILL_FRAMES = 9; // without a word that scrolling ended
const AT_END_PX = 1; // positions are fractions, ends are not

// The elements under a point and what holds them, out of the frames of this process too.
const underPoint = (x, y) => {
  const found = [];
  for (let node = axs.hit(x, y); node; node = axs.parentOf(node) ?? node.defaultView?.frameElement)
    if (node.nodeType === 1) found.push(node);
  return found;
};

const isPage = (el) => el === el.ownerDocument.scrollingElement;
const nameOfScroller = (el) => (isPage(el) ? (el.ownerDocument === document ? "the page" : axs.sayElement(el.ownerDocument.defaultView.frameElement)) : axs.sayElement(el));

// Whether an element scrolls along an axis at all, and whether it can go on in a direction (1, -1).
const scrollsAlong = (el, axis) => {
  const room = axis === "x" ? el.scrollWidth - el.clientWidth : el.scrollHeight - el.clientHeight;
  if (room < 1) return false;
  const style = getComputedStyle(el);
  const overflow = axis === "x" ? style.overflowX : style.overflowY;
  return isPage(el) ? overflow !== "hidden" && overflow !== "clip" : overflow === "auto" || overflow === "scroll";
};
const canGoOn = (el, axis, sign) => {
  const at = axis === "x" ? el.scrollLeft : el.scrollTop;
  const room = axis === "x" ? el.scrollWidth - el.clientWidth : el.scrollHeight - el.clientHeight;
  const isReversed = axis === "x" && getComputedStyle(el).direction === "rtl"; // then it stands between -room and 0
  const [least, most] = isReversed ? [-room, 0] : [0, room];
  return sign > 0 ? at < most - AT_END_PX : at > least + AT_END_PX;
};

// Remember where the scrollers under a point stand. `remote` is the frame of another process that the point is in.
axs.scrollStart = (x, y) => {
  axs.scrollStop?.();
  const under = underPoint(x, y);
  axs.wheels = [];
  const views = new Set(under.map((el) => el.ownerDocument.defaultView));
  const hear = (event) => axs.wheels.push(event);
  const rest = () => (axs.rested = true);
  axs.rested = false;
  for (const view of views) {
    view.addEventListener("wheel", hear, { capture: true, passive: true });
    view.addEventListener("scrollend", rest, true); // after snapping, too
  }
  axs.scrollStop = () =>
    views.forEach((view) => {
      view.removeEventListener("wheel", hear, true);
      view.removeEventListener("scrollend", rest, true);
    });
  axs.before = under.map((el) => [el, el.scrollLeft, el.scrollTop]);
  return { remote: isRemoteFrame(under[0]) ? axs.handleOf(under[0]) : "" };
};

// Wait until they rest, and say what moved; `taken`: the page took the wheel for itself; `ends`: what could
// not go on; `stuck`: what could and did not.
axs.scrollEnd = async (right, down, capMs) => {
  const before = axs.before ?? [];
  const [axis, sign] = right ? ["x", right] : ["y", down];
  const read = () => before.map(([el]) => [el.scrollLeft, el.scrollTop]);
  const same = (a, b) => a.every((pair, i) => pair[0] === b[i][0] && pair[1] === b[i][1]);
  const start = before.map(([, left, top]) => [left, top]);
  const begun = performance.now();
  let last = start;
  let still = 0;
  while (performance.now() < begun + capMs) {
    await afterFrames(1);
    const now = read();
    still = same(now, last) ? still + 1 : 0;
    last = now;
    const moved = !same(now, start);
    if (moved && still >= (axs.rested ? 2 : STILL_FRAMES)) break;
    if (!moved && performance.now() - begun > BEGIN_MS) break;
  }
  axs.scrollStop?.();
  const moved = [];
  const ends = [];
  const stuck = [];
  before.forEach(([el, left, top], i) => {
    const dx = Math.round(last[i][0] - left);
    const dy = Math.round(last[i][1] - top);
    if (dx || dy) moved.push({ what: nameOfScroller(el), dx, dy, end: !canGoOn(el, axis, sign) });
    else if (scrollsAlong(el, axis)) (canGoOn(el, axis, sign) ? stuck : ends).push(nameOfScroller(el));
  });
  return { moved, ends, stuck, taken: axs.wheels.some((event) => event.defaultPrevented) };
};

// The middle of the scroller that is nearest to a point and can go on in a direction; null where there is none.
axs.nearestScroller = (x, y, right, down) => {
  const [axis, sign] = right ? ["x", right] : ["y", down];
  let best = null;
  const look = (doc) => {
    for (const el of doc.querySelectorAll("*")) {
      const inner = el.localName === "iframe" || el.localName === "frame" ? axs.contentDocument(el) : null;
      if (inner) look(inner);
      if (!scrollsAlong(el, axis) || !canGoOn(el, axis, sign)) continue;
      const part = isPage(el) && el.ownerDocument === document ? [0, 0, innerWidth, innerHeight] : visiblePart(el, el.getBoundingClientRect());
      if (isEmpty(part)) continue;
      const far = Math.hypot(Math.max(part[0] - x, 0, x - part[2]), Math.max(part[1] - y, 0, y - part[3]));
      if (best && best.far <= far) continue;
      const point = pointsIn(part).find(([px, py]) => axs.holds(el, axs.hit(px, py)) || (isPage(el) && axs.hit(px, py)?.ownerDocument === el.ownerDocument));
      if (point) best = { far, x: point[0], y: point[1] };
    }
  };
  look(document);
  return best;
};
