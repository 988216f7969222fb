// A page that works against whoever uses it. Each thing on it has a name of its own; each press and click is told on the
// console, with what was under it as it came.

const params = new URLSearchParams(location.search);
const seed = Number(params.get("seed") ?? 1);
const depth = Number(params.get("depth") ?? 0); // of frames
let state = seed;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const pick = (list) => list[Math.floor(random() * list.length)];
const chance = (share) => random() < share;
const root = document.getElementById("root");
const here = (more, deeper = depth) => `hostile.html?seed=${more}&depth=${deeper}`;
const far = (more) => `${location.protocol}//${location.hostname === "localhost" ? "127.0.0.1" : "localhost"}:${location.port}/${here(more, depth + 1)}`;
const nextSeed = () => Math.floor(random() * 1e6);
let count = 0;
const named = (what) => `${what} ${seed % 1000}x${++count}`;

// -- what is received -------------------------------------------------------------------------------------------------

const thing = (event) => {
  for (const node of event.composedPath()) {
    if (node.dataset?.n) return node.dataset.n;
    if (node.dataset?.in) return node.dataset.in; // what is in a closed root is not told
    if (node.localName === "label" && node.control?.dataset.n) return node.control.dataset.n;
  }
  return `(${event.composedPath()[0].localName ?? "document"} ${event.composedPath()[0].className ?? ""})`;
};
const tell = (event, type, name) => console.log(`HIT ${JSON.stringify({ type, name, t: performance.timeOrigin + event.timeStamp })}`);
let under = "";
addEventListener("pointerdown", (event) => (under = thing(event)), true);
document.addEventListener("pointerdown", (event) => event.isTrusted && tell(event, "press", under));
// Clicks by keys have no detail; those of a mouse count as what was pressed, or what they reached where that is another.
document.addEventListener("click", (event) => event.isTrusted && event.detail && event.pointerType && tell(event, "click", thing(event)));

// -- what is on it -----------------------------------------------------------------------------------------------------

const element = (tag, what, fields = {}) => {
  const el = document.createElement(tag);
  const name = named(what);
  el.dataset.n = name;
  if (tag === "input" || tag === "select" || tag === "textarea" || fields.contentEditable) el.setAttribute("aria-label", name);
  else el.textContent = name;
  return Object.assign(el, fields);
};
const MAKE = [
  () => element("button", "Plain"),
  () => element("button", "Alert", { onclick: () => alert(`Look ${count}`) }),
  () => element("button", "Confirm", { onclick: () => confirm(`Sure ${count}?`) }),
  () => element("button", "Prompt", { onclick: () => prompt(`Name ${count}?`, "nobody") }),
  () => element("button", "Late alert", { onclick: () => setTimeout(() => alert("late"), random() * 80) }),
  () => element("a", "Link", { href: here(nextSeed()) }),
  () => element("a", "New tab", { href: here(nextSeed()), target: "_blank" }),
  () => element("a", "Anchor", { href: "#there" }),
  () => element("a", "Report", { href: "report.csv", download: "report.csv" }),
  () => element("button", "Pop-up", { onclick: () => open(here(nextSeed()), "_blank", "width=500,height=400") }),
  () => element("button", "Reload", { onclick: () => location.reload() }),
  () => element("button", "Back", { onclick: () => history.back() }),
  () => element("button", "Push", { onclick: () => history.pushState({}, "", `#${count}`) }),
  () => element("button", "Leave late", { onclick: () => setTimeout(() => (location.href = here(nextSeed())), random() * 200) }),
  () => element("button", "Close", { onclick: () => close() }),
  () => element("button", "Remove me", { onclick: (event) => event.target.remove() }),
  () => element("button", "Gone on press", { onpointerdown: (event) => event.target.remove() }),
  () => element("button", "Clear all", { onclick: () => (root.replaceChildren(), setTimeout(fill, 50)) }),
  () => element("button", "Busy", { onclick: () => { const end = performance.now() + 150; while (performance.now() < end); } }),
  () => element("button", "Full screen", { onclick: () => document.documentElement.requestFullscreen?.().catch(() => {}) }),
  () => element("button", "Print", { onclick: () => print() }),
  () => element("button", "Write", { onclick: () => root.insertAdjacentHTML("beforeend", "<p>written</p>") }),
  () => element("button", "Throw", { onclick: () => setTimeout(() => dispatchEvent(new ErrorEvent("error", { message: "no" }))) }),
  () => element("button", "Runs away", { onmousemove: (event) => (event.target.style.marginLeft = `${random() * 300}px`) }),
  () => element("button", "Slides", { style: "animation: slide 1.5s infinite alternate" }),
  () => element("button", "Disabled", { disabled: true }),
  () => element("button", "Keeps you", { onclick: () => (onbeforeunload = (event) => event.preventDefault()) }),
  () => element("input", "Field"),
  () => element("input", "Box", { type: "checkbox" }),
  () => element("input", "Date", { type: "date" }),
  () => element("input", "Slider", { type: "range" }),
  () => element("input", "File", { type: "file" }),
  () => element("textarea", "Notes"),
  () => element("div", "Editor", { contentEditable: "true", style: "border:1px solid;min-height:20px;width:200px" }),
  () => { const el = element("select", "List"); for (let i = 0; i < 4; i++) el.append(new Option(`${el.dataset.n} option ${i}`)); return el; },
  () => element("div", "Dragged", { draggable: true, tabIndex: 0 }),
  () => element("span", "Pointer", { style: "cursor:pointer;padding:4px" }),
  () => { const el = document.createElement("div"); const inner = element("button", "Shadow"); el.attachShadow({ mode: pick(["open", "open", "closed"]) }).append(inner); el.dataset.in = inner.dataset.n; return el; },
  frame, frame,
];
function frame() {
  const el = document.createElement("iframe");
  el.title = named("Frame");
  if (depth < 2) el.src = chance(0.4) ? far(nextSeed()) : here(nextSeed(), depth + 1);
  else el.srcdoc = "<p>deep</p>";
  return el;
}
const fill = () => {
  const many = depth ? 4 : 14 + Math.floor(random() * 10);
  for (let i = 0; i < many; i++) {
    const row = document.createElement(chance(0.6) ? "div" : "span");
    row.append(pick(MAKE)());
    root.append(row);
  }
};

// -- what it does by itself ----------------------------------------------------------------------------------------------

const any = () => pick([...root.querySelectorAll("[data-n]")]);
const for_a_while = (el) => (document.body.append(el), setTimeout(() => el.remove(), 100 + random() * 500));
const box = (name) => Object.assign(document.createElement("div"), { className: name });
const DOES = [
  [6, () => any()?.remove()],
  [6, () => root.prepend(pick(MAKE)())],
  [6, () => for_a_while(box("overlay"))],
  [6, () => for_a_while(box("strip"))],
  [4, () => { const el = any(); if (el && !el.children.length && el.textContent) el.textContent = el.dataset.n = named("Renamed"); }],
  [4, () => { const el = any(); if (el) el.replaceWith(el.cloneNode(true)); }],
  [4, () => root.append(...[...root.children].sort(() => random() - 0.5))],
  [4, () => scrollTo(0, random() * 600)],
  [4, () => any()?.focus()],
  [3, () => document.querySelector("iframe")?.remove()],
  [3, () => root.append(frame())],
  [3, () => { const el = document.querySelector("iframe"); if (el) el.src = here(nextSeed(), depth + 1); }],
  [2, () => depth || alert("by itself")],
  [1, () => depth || confirm("by itself?")],
  [1, () => depth || (location.href = here(nextSeed()))],
  [1, () => (root.replaceChildren(), setTimeout(fill, 100))],
  [1, () => { const end = performance.now() + 120; while (performance.now() < end); }],
  [1, () => { const el = document.createElement("dialog"); el.append(element("button", "Dismiss", { onclick: () => el.remove() })); document.body.append(el); el.showModal(); setTimeout(() => el.remove(), 400); }],
];
const does = DOES.flatMap(([often, what]) => Array(often).fill(what));
const go = () => {
  try {
    pick(does)();
  } catch {
    // what it did to itself is its own matter
  }
  setTimeout(go, (depth ? 400 : 60) + random() * 400);
};
fill();
setTimeout(go, 200);
