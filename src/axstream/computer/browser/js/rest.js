// When a page is at rest: mutations, frames of animation, boxes that stay. Nothing is acted on here.

const FRAME_FALLBACK_MS = 34; // two frames of 60 Hz, where animation frames do not fire (a frame off the screen)
const TOP_FALLBACK_MS = 200; // those of a whole page come, if late on a busy machine; in a background tab they do not
const RECENT_MS = 100; // a page that changed within this may still be moving something
const TICKER = 4; // a node that changed more often than this within the last second changes for ever
const GROWING = 40; // but one that only grows is still being drawn

const watched = new WeakSet();
const changes = new WeakMap(); // node -> times of its last changes
const born = performance.now();
let lastChange = born;
let lastNews = born; // the last change that is not a ticker's
let lastEffect = -Infinity; // the last thing at all that an act may have done, changes of focus and value included
let lastScroll = -Infinity;
let lastSaid = born; // the last change of something that an element says
const said = new WeakMap(); // node -> when what it says was changed last

const SAYS = new Set(["aria-label", "aria-labelledby", "title", "alt", "placeholder", "value"]);

// When an element came to be in its document: 0 for what was there when it was first watched, also where it moved since.
const births = new WeakMap();
const wall = () => performance.timeOrigin + performance.now();
axs.since = (el) => {
  for (let node = el; node; node = axs.parentOf(node)) if (births.has(node)) return births.get(node);
  return 0;
};

const note = (records) => {
  const now = performance.now();
  if (records.length) lastChange = now;
  for (const record of records) {
    axs.outdated(record);
    for (const node of record.removedNodes) if (!births.has(node)) births.set(node, 0);
    for (const node of record.addedNodes) if (!births.has(node)) births.set(node, wall());
    if (record.type !== "attributes" || SAYS.has(record.attributeName)) said.set(record.target, (lastSaid = now));
    const times = changes.get(record.target) ?? [];
    times.push(now);
    while (times.length && times[0] < now - 1000) times.shift();
    changes.set(record.target, times);
    const grows = record.addedNodes.length > record.removedNodes.length;
    if (times.length <= (grows ? GROWING : TICKER)) lastNews = lastEffect = now;
  }
};
const observer = new MutationObserver(note);
axs.unwatch = () => observer.disconnect(); // for good: whoever comes again makes a world anew

// Whether what a node says (a document: any of its nodes) was changed since then.
axs.saidSince = (node, then) => {
  note(observer.takeRecords());
  return (node.nodeType === 9 ? lastSaid : said.get(node) ?? -Infinity) >= then;
};
const WATCHING = { subtree: true, childList: true, characterData: true, attributes: true };

const EFFECTS = ["input", "change", "toggle", "transitionrun", "animationstart"];

const NEAR = 300; // elements in and around one, of which a change may have told another thing into its place

const lastOf = (node) => {
  const times = changes.get(node);
  return times ? performance.timeOrigin + times[times.length - 1] : 0;
};
const lastIn = (root) => {
  let last = lastOf(root);
  const inner = document.createTreeWalker(root, 5);
  for (let node = inner.nextNode(); node; node = inner.nextNode()) {
    last = Math.max(last, lastOf(node));
    const shadow = node.nodeType === 1 && axs.rootOf(node);
    if (shadow) last = Math.max(last, lastIn(shadow));
  }
  return last;
};

// When anything was last changed that says which of several an element is: in its row, or else in the most around it that
// is no more than NEAR elements, and in the lists above. 0 where nothing was since the page is watched.
axs.changedNear = (el) => {
  let around = el;
  for (let node = el; node && node.nodeType !== 9; node = axs.parentOf(node)) {
    if (node.nodeType !== 1) continue;
    if (node.getElementsByTagName("*").length > NEAR) break;
    around = node;
    if (node !== el && axs.isRow(node)) break;
  }
  let last = lastIn(around);
  if (!axs.isRow(around)) for (let node = axs.parentOf(around); node; node = axs.parentOf(node)) last = Math.max(last, lastOf(node));
  return last;
};

// Take in all that changed until now, and say when that is: what has a later `since` was not there yet.
axs.look = () => {
  note(observer.takeRecords());
  return wall();
};

axs.watch = (root) => {
  if (watched.has(root)) return;
  watched.add(root);
  if (root.nodeType === 9) {
    axs.meet(root);
    axs.standGuard(root.defaultView);
  }
  observer.observe(root, WATCHING);
  root.addEventListener("scroll", () => (lastScroll = lastEffect = performance.now()), { capture: true, passive: true });
  // A button that was clicked has the focus: nothing came of that. A field that has it is what was wanted.
  root.addEventListener("focusin", (event) => axs.takesText(event.composedPath()[0]) && (lastEffect = performance.now()), true);
  for (const type of EFFECTS) root.addEventListener(type, () => (lastEffect = performance.now()), { capture: true, passive: true });
};

const afterFrames = (count) =>
  new Promise((resolve) => {
    let done = false;
    const finish = () => {
      if (!done) resolve();
      done = true;
    };
    const step = (left) => (left === 0 ? finish() : requestAnimationFrame(() => step(left - 1)));
    step(count);
    setTimeout(finish, window === window.top ? TOP_FALLBACK_MS : FRAME_FALLBACK_MS * Math.ceil(count / 2) + 16);
  });
axs.frames = afterFrames;
axs.sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Milliseconds since the last change that is not a ticker's, and until what is on its way has come to rest; whether
// anything came of an act that began `actedMs` ago, and whether documents are still being read.
axs.quiet = (actedMs) => {
  note(observer.takeRecords());
  const now = performance.now();
  return {
    ms: now - lastNews,
    moving: movingMs(),
    effect: lastEffect >= now - actedMs - 5, // the question was on its way a little
    loading: document.readyState === "loading",
  };
};

const MOVING_LIMIT_MS = 700; // what moves or fades for longer is not waited for
const SHOWS = /^(opacity|visibility|display|clip|mask|content)/;

// How long what moves, comes or goes by animation still does so; colours and shadows are left out.
const movingMs = () => {
  let most = 0;
  for (const animation of document.getAnimations()) {
    if (animation.playState !== "running" || !animation.effect) continue;
    const timing = animation.effect.getComputedTiming();
    const left = (timing.endTime - (timing.localTime ?? 0)) / (animation.playbackRate || 1);
    if (!(left < MOVING_LIMIT_MS) || left <= most) continue;
    const named = animation.transitionProperty ? [animation.transitionProperty] : animation.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
    if (named.some((property) => SHOWS.test(property) || MOVES.test(property))) most = left;
  }
  return most;
};

const MOVES = /^(transform|translate|rotate|scale|offset|left|top|right|bottom|inset|margin|padding|width|height|font|all)/;
const movesBoxes = (el, animation) => {
  if (animation.playState !== "running") return false;
  const target = animation.effect?.target;
  if (!target) return false;
  if (axs.holds(target, el)) return true;
  return animation.effect.getKeyframes().some((frame) => Object.keys(frame).some((key) => MOVES.test(key) && !/^(transform|translate|rotate|scale|offset)/.test(key)));
};

// Whether the box of an element can be taken as at rest without looking at two frames: nothing on the page changed,
// scrolled or is animated that could move it.
axs.surelyRests = (el) => {
  note(observer.takeRecords());
  const now = performance.now();
  if (now - born < RECENT_MS || now - lastChange < RECENT_MS || now - lastScroll < RECENT_MS) return false;
  for (let node = el; node; node = axs.parentOf(node)) {
    if ((node.nodeType === 9 || node.nodeType === 11) && node.getAnimations)
      for (const animation of node.getAnimations()) if (movesBoxes(el, animation)) return false;
  }
  return true;
};
