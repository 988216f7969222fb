// Sees to it that a press lands on the element that was meant, as it was meant. Between finding an element and pressing it
// some milliseconds pass, in which a page may move it, cover it, or draw another row into it; pages do that when the
// pointer comes. Armed by `prepare`; the press itself is let through or stopped before the page hears of it.
//
//   pointerdown   lands elsewhere, or the element or its row says something else by now: stopped, with all that follows
//   its parts     what the page makes of one of them is its own answer, and is no reason against the rest; but what it says
//   up to click   otherwise between two of them (numbers aside) stops the rest; the press was received
//   second press  of a double click: stopped where it lands on something else than the element or its like

const GUARD_MS = 1500; // from `prepare` to the press, on a busy machine; later presses are no concern of ours
const SAID_CHARACTERS = 800; // of a row; more text than this tells nothing more
const SCOPE_NODES = 300; // of a row that are looked at for changes
const BESIDE = 3; // how far up an element without a row looks for text beside it
const BESIDE_CHARACTERS = 200; // what says more than this, or has more controls, holds more than one thing and its name
const BESIDE_CONTROLS = 4;
const ROW = "tr, li, article, [role=row], [role=listitem], [role=article], [role=option], [role=treeitem]";
const GUARDED = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "auxclick", "dblclick", "contextmenu"];
const PARTS = ["pointerdown", "mousedown", "pointerup", "mouseup"]; // of one click, in their order
const CALLS = ["aria-label", "title", "alt", "placeholder"];

let guard = null; // {el, until, said, presses, pressed, averted, received}
let suspect = null; // {el, said, at}: what an element said when it was found changed
// The row of an element, else the nearest thing around it that says more than it does.
const rowOf = (el) => {
  const own = wordsIn(el).length;
  let near = null;
  let steps = 0;
  for (let node = axs.parentOf(el); node && node.nodeType !== 9; node = axs.parentOf(node)) {
    if (node.nodeType !== 1 || node.localName === "body" || node.localName === "html") continue;
    if (node.matches(ROW)) return node;
    if (near || steps++ >= BESIDE) continue;
    const words = wordsIn(node).length;
    const fits = words <= own + BESIDE_CHARACTERS && node.querySelectorAll(ACTS).length <= BESIDE_CONTROLS;
    if (words > own && fits) near = node;
  }
  return near ?? el;
};

const wordsIn = (node) => {
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let text = "";
  while (text.length < SAID_CHARACTERS && texts.nextNode()) text += ` ${texts.currentNode.data}`;
  return axs.clean(text);
};

// What an element says of itself and of which of its equals it is.
const saidBy = (el) => {
  const own = CALLS.map((name) => el.getAttribute(name) ?? "").join("|");
  return `${own}|${wordsIn(el)}|${wordsIn(rowOf(el))}|${Array.from(el.labels ?? [], wordsIn).join("|")}`;
};
const numbersAside = (text) => text.replace(/\d+/g, "#");

// Whether something that an element or its row says was changed since the page was walked.
const changedSinceWalk = (el) => {
  if (axs.saidSince(document, axs.walkedAt) === false) return false;
  const row = rowOf(el);
  const nodes = document.createTreeWalker(row, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  let left = SCOPE_NODES;
  do if (axs.saidSince(nodes.currentNode, axs.walkedAt)) return true;
  while (left-- && nodes.nextNode());
  return row !== el && !row.contains(el) ? axs.saidSince(el, axs.walkedAt) : false;
};

// Be on guard for the press on an element that was found by the last walk. Returns what speaks against it already, or "".
axs.arm = (el, purpose) => {
  const said = saidBy(el);
  const before = suspect?.el === el && suspect.at < axs.walkedAt ? suspect : null;
  suspect = null;
  if (changedSinceWalk(el)) {
    const ticks = before && numbersAside(before.said) === numbersAside(said);
    if (!ticks) {
      suspect = { el, said, at: performance.now() };
      return "changed as it was found";
    }
  }
  guard = { el, said, ticks: before !== null, until: performance.now() + GUARD_MS, presses: 0, pressed: null, averted: "", received: false, drags: purpose === "drag" };
  return "";
};
// The element is in a frame of another process, whose own guard looks at what it says.
axs.armFrame = (el, purpose) => (guard = { el, said: null, ticks: false, until: performance.now() + GUARD_MS, presses: 0, pressed: null, averted: "", received: false, drags: purpose === "drag" });
axs.disarm = () => (guard = null);

// What became of the press since `arm`: {averted, received}, null where nothing was averted.
axs.stoodDown = () => {
  const done = guard;
  guard = null;
  return done?.averted ? { averted: done.averted, received: done.received } : null;
};

const targetOf = (event) => {
  let hit = event.composedPath()[0];
  while (hit?.nodeType === 1) {
    const inner = axs.hitIn(hit, event.clientX, event.clientY);
    if (inner === hit) break;
    hit = inner;
  }
  return hit?.nodeType === 1 ? hit : null;
};

const same = (one, other) => other === null || one === other || (guard.ticks && numbersAside(one) === numbersAside(other));

// Why a press on `hit` is not the one that was meant, or "".
const against = (hit) => {
  const { el } = guard;
  if (el.isConnected && axs.reaches(el, hit)) return guard.presses || same(saidBy(el), guard.said) ? "" : "changed before it could be pressed";
  if (guard.presses && !el.isConnected) {
    const like = hit.closest(el.localName);
    if (like && same(saidBy(like), guard.said)) return "";
  }
  return el.isConnected ? `gave way to ${axs.sayElement(hit)} before it could be pressed` : "went away before it could be pressed";
};

// Resolves when a click has been through the page, and the tasks that it queued: with what `tasks` says. Asked before the
// press, so that the answer is on its way while the press is still being reported.
let awaited = null; // {resolve, clicks}
let answer = null; // the promise of what came of the click that was awaited last
axs.clicked = (clicks) => {
  answer = null;
  return new Promise((resolve) => (awaited = { resolve, clicks }));
};
const passClick = () => {
  if (!awaited || --awaited.clicks > 0) return;
  answer = afterwards();
  answer.then(awaited.resolve);
  awaited = null;
};
const afterwards = () =>
  new Promise((resolve) =>
    setTimeout(() => {
      frames = afterFrames(2);
      resolve({ averted: axs.stoodDown(), asks: axs.takeAsks() });
    }, 0),
  );
let frames = null; // a promise: two frames since the last act

// Two frames have come since the last act (Z4): at once where nothing was done or they have passed.
axs.framesPassed = async () => void (await frames);
axs.walkRested = async (options) => {
  await frames;
  return axs.walk(options);
};

// The tasks that an event queued have run: what began with it is known now. Says what became of a press on guard, and what
// the page asked a person for. `instead` of the click that was awaited and did not come, or was not heard of in time.
axs.tasks = (instead) => {
  const heard = instead ? answer : null;
  awaited?.resolve(null);
  awaited = answer = null;
  return heard ?? afterwards();
};

const watchPress = (event) => {
  if (event.isTrusted && event.type === "click") passClick();
  if (!guard || !event.isTrusted) return;
  if (performance.now() > guard.until && !guard.presses) return void (guard = null);
  if (event.type === "pointerdown" && !guard.averted) {
    const hit = targetOf(event);
    guard.averted = hit ? against(hit) : "";
    guard.presses++;
    guard.received ||= !guard.averted;
    if (guard.drags && !guard.averted) return void (guard = null); // what it is dragged over is the page's own answer
  } else if (!guard.averted && guard.pressed !== null && guard.el.isConnected) {
    if (numbersAside(saidBy(guard.el)) !== numbersAside(guard.pressed)) guard.averted = "changed while it was pressed";
  }
  guard.pressed = null; // until the event has been through the page
  if (guard.averted) {
    event.stopImmediatePropagation();
    event.preventDefault();
  }
};
const afterPart = () => guard && !guard.averted && (guard.pressed = guard.el.isConnected ? saidBy(guard.el) : null);

axs.standGuard = (view) => {
  for (const type of GUARDED) view.addEventListener(type, watchPress, { capture: true, passive: false });
  for (const type of PARTS) view.addEventListener(type, afterPart);
};
