// What became of a drag: whether the platform's own protocol began and ended in a drop, and what scrolled meanwhile.

axs.remoteAt = (x, y) => {
  const hit = axs.hit(x, y);
  return { remote: hit && isRemoteFrame(hit) ? axs.handleOf(hit) : "" };
};

axs.armDrag = (x, y) => {
  const under = underPoint(x, y);
  const view = under[0]?.ownerDocument.defaultView ?? window;
  const drag = { began: false, taken: false, ended: false, before: under.map((el) => [el, el.scrollLeft, el.scrollTop]) };
  const begin = (event) => (drag.began = event);
  const end = (event) => Object.assign(drag, { ended: true, taken: event.dataTransfer?.dropEffect !== "none" });
  view.addEventListener("dragstart", begin, true);
  view.addEventListener("dragend", end, true);
  drag.stop = () => {
    view.removeEventListener("dragstart", begin, true);
    view.removeEventListener("dragend", end, true);
  };
  axs.drag?.stop();
  axs.drag = drag;
  return { remote: isRemoteFrame(under[0]) ? axs.handleOf(under[0]) : "" };
};

// Asked after each move: a frame later, so that pages that follow the pointer by frames have followed.
axs.dragBegan = async () => {
  await afterFrames(1);
  return Boolean(axs.drag?.began && !axs.drag.began.defaultPrevented);
};

const DRAG_END_MS = 300; // from the release to the end of the platform's protocol

axs.dragged = async () => {
  const drag = axs.drag;
  const begun = drag?.began && !drag.began.defaultPrevented;
  const limit = performance.now() + DRAG_END_MS;
  while (begun && !drag.ended && performance.now() < limit) await afterFrames(1);
  drag?.stop();
  const scrolled = (drag?.before ?? [])
    .map(([el, left, top]) => ({ what: nameOfScroller(el), dx: Math.round(el.scrollLeft - left), dy: Math.round(el.scrollTop - top) }))
    .filter((step) => step.dx || step.dy);
  return { refused: Boolean(begun && drag.ended && !drag.taken), scrolled };
};
