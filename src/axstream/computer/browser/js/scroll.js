// What a wheel moves: where the scrollers under a point stand before it and after. Nothing is scrolled here.

// What is focused, its parents and the document and window, for a look at who listens to keys.
axs.scrollers = () => {
  const offsets = [];
  for (let el = axs.hit(axs.pointer?.x ?? 0, axs.pointer?.y ?? 0); el; el = axs.parentOf(el))
    if (el.nodeType === 1) offsets.push([el, el.scrollLeft, el.scrollTop]);
    else if (el.nodeType === 9 && el.defaultView?.frameElement) el = { parentNode: el.defaultView.frameElement };
  return offsets;
};

// Remember where the scrollers under a point stand; `scrollEnd` waits until they rest and says which one moved.
axs.scrollStart = (x, y) => {
  axs.pointer = { x, y };
  axs.before = axs.scrollers();
  const hit = axs.hit(x, y);
  return { remote: isRemoteFrame(hit) ? axs.handleOf(hit) : "" };
};

axs.scrollEnd = async (capMs) => {
  const end = performance.now() + capMs;
  const read = () => (axs.before ?? []).map(([el]) => [el.scrollLeft, el.scrollTop]);
  const start = (axs.before ?? []).map(([, left, top]) => [left, top]);
  const same = (a, b) => a.every((pair, i) => pair[0] === b[i][0] && pair[1] === b[i][1]);
  let last = start;
  let still = 0;
  const begun = performance.now();
  while (performance.now() < end) {
    await afterFrames(1);
    const now = read();
    still = same(now, last) ? still + 1 : 0;
    last = now;
    const moved = !same(now, start);
    if (moved && still >= 2) break;
    if (!moved && performance.now() - begun > 150) break; // a wheel that moves anything has begun to by then
  }
  const moved = [];
  (axs.before ?? []).forEach(([el, left, top], i) => {
    const dx = Math.round(last[i][0] - left);
    const dy = Math.round(last[i][1] - top);
    if (dx || dy) moved.push({ what: isPage(el) ? "the page" : axs.sayElement(el), dx, dy });
  });
  return moved;
};

const isPage = (el) => el === el.ownerDocument.scrollingElement;
