// What is on the stage, how it drifts, and what the page received. Truth is told by data keys, never by nodes.
// A control of the data has a key for life; which node shows it is the matter of the moment.

const FLAT = {
  toolbar: ["<div role=toolbar aria-label=Tools></div>", "<span><button data-c></button> </span>"],
  links: ["<nav></nav>", '<span><a href="#here" data-c></a> </span>'],
  tabs: ["<div role=tablist></div>", "<div role=tab tabindex=0 data-c style='display:inline-block;padding:4px'></div>"],
  menu: ["<ul role=menu></ul>", "<li role=menuitem tabindex=-1 data-c></li>"],
  form: ["<form onsubmit='return false'></form>", "<p><label><span data-label></span> <input data-c></label></p>"],
};
const ROWS = {
  table: ["<table border=1><thead><tr><th>Name</th><th>Seen</th><th>Do</th></tr></thead><tbody></tbody></table>", "<tr><td data-text></td><td data-vol></td><td><button data-c></button> <button data-c></button></td></tr>"],
  list: ["<ul></ul>", "<li><span data-text></span> <i data-vol></i> <button data-c></button> <button data-c></button></li>"],
  cards: ["<section></section>", "<article><h3 data-text></h3><p data-vol></p><button data-c></button> <a href='#here' data-c></a></article>"],
  divs: ["<div></div>", "<div class=row><b data-text></b> <i data-vol></i> <button data-c></button> <button data-c></button></div>"],
  icons: ["<table><tbody></tbody></table>", "<tr><td data-text></td><td data-vol></td><td><button data-c style='width:30px;height:22px'></button></td></tr>"],
  checks: ["<ul></ul>", "<li><input type=checkbox data-c> <span data-text></span> <i data-vol></i></li>"],
  virtual: ["<div class=scroller><div role=list></div></div>", "<div role=listitem><span data-text></span> <i data-vol></i> <button data-c></button></div>"],
};
const ROW_PX = 36;
const POOL = 8;

const stage = {};
let scene = null; // {kind, items: [{key, text, vol, controls: [{key, name, enabled}]}]}
let root = null; // where the scene is mounted: the body, or a shadow root
let list = null; // the element that holds the items
let shown = []; // [element, item] in order
let random = Math.random;
let hits = [];
let press = null;
let meant = null; // the key that the next act means
let pending = [];
let seen = new Map(); // key -> the node that showed it when the page was observed
let keys = 0;

const seeded = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const pick = (list) => list[Math.floor(random() * list.length)];
const made = (html) => {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content.firstElementChild;
};
const put = (node, text) => node && node.textContent !== text && (node.textContent = text);

const paint = (el, item) => {
  put(el.querySelector("[data-text]"), item.text);
  put(el.querySelector("[data-vol]"), item.vol);
  const nodes = el.matches("[data-c]") ? [el] : [...el.querySelectorAll("[data-c]")];
  nodes.forEach((node, i) => {
    const control = item.controls[i];
    node.control_ = control;
    if (node.localName === "input") {
      const label = el.querySelector("[data-label]");
      if (label) put(label, control.name);
      else node.setAttribute("aria-label", control.name);
    } else put(node, control.name);
    if ("disabled" in node) node.disabled = !control.enabled;
    else control.enabled ? node.removeAttribute("aria-disabled") : node.setAttribute("aria-disabled", "true");
  });
};

const templates = () => FLAT[scene.kind] ?? ROWS[scene.kind];

// mode: "fresh" makes every node anew, "keyed" keeps the nodes of each item, "index" those of each place.
const render = (mode) => {
  const [wrap, row] = templates();
  if (mode === "fresh" || !list) {
    root.replaceChildren(made(wrap));
    const top = root.firstElementChild;
    list = top.querySelector("tbody, [role=list]") ?? top;
    if (scene.kind === "virtual") top.addEventListener("scroll", () => render("index"));
    shown = [];
  }
  let items = scene.items;
  let first = 0;
  if (scene.kind === "virtual") {
    list.style.height = `${items.length * ROW_PX}px`;
    first = Math.max(0, Math.min(Math.floor(list.parentElement.scrollTop / ROW_PX), items.length - POOL));
    items = items.slice(first, first + POOL);
    if (mode === "keyed") mode = "index";
  }
  const old = shown;
  shown = items.map((item, i) => {
    const kept = mode === "keyed" ? old.find(([, other]) => other === item) : mode === "index" ? old[i] : null;
    const el = kept ? kept[0] : made(row);
    paint(el, item);
    if (scene.kind === "virtual") el.style.top = `${(first + i) * ROW_PX}px`;
    return [el, item];
  });
  const wanted = shown.map(([el]) => el);
  for (const el of [...list.children]) if (!wanted.includes(el)) el.remove();
  wanted.forEach((el, i) => list.children[i] !== el && list.insertBefore(el, list.children[i] ?? null));
};

const fresh = (item) => ({ ...item, key: `k${++keys}`, controls: item.controls.map((c) => ({ ...c, key: `k${++keys}` })) });

stage.show = (given) => {
  stage.stop();
  const host = document.getElementById("root");
  host.replaceChildren();
  host.removeAttribute("style");
  document.body.removeAttribute("style");
  document.getElementById("cover")?.remove();
  for (const el of document.querySelectorAll(".banner")) el.remove();
  scrollTo(0, 0);
  root = host;
  if (given.where === "shadow") {
    const box = document.createElement("div");
    host.append(box);
    root = box.attachShadow({ mode: "open" });
  }
  list = null;
  shown = [];
  hits = [];
  press = null;
  keys = 0;
  scene = { kind: given.kind, items: given.items.map((item) => fresh({ ...item, controls: item.controls.map((name) => ({ name, enabled: true })) })) };
  render("fresh");
  return stage.standing();
};

const nodeOf = (key) => {
  for (const [el] of shown) for (const node of [el, ...el.querySelectorAll("[data-c]")]) if (node.control_?.key === key) return node;
  return null;
};

// The page was observed: what is shown now is what the acts to come mean. Returns all controls.
stage.observed = () => {
  seen = new Map(stage.standing().map(([key]) => [key, nodeOf(key)]));
  return stage.standing();
};

// All controls that are on the page, in its order: [key, name, row's text, enabled].
stage.standing = () => shown.flatMap(([, item]) => item.controls.map((c) => [c.key, c.name, item.text, c.enabled]));

const visible = (node) => Boolean(node?.getClientRects().length) && getComputedStyle(node).visibility === "visible";

const facts = () => {
  const node = meant && nodeOf(meant);
  return {
    standing: stage.standing(),
    covered: Boolean(document.getElementById("cover")),
    visible: visible(node),
    same: Boolean(node) && node === seen.get(meant),
    node: seen.get(meant)?.isConnected ? seen.get(meant).control_.name : null,
  };
};

// -- what is received ---------------------------------------------------------------------------------------------

const controlIn = (event) => {
  for (const node of event.composedPath()) {
    if (node.control_) return node;
    if (node.localName === "label" && node.control?.control_) return node.control;
  }
  return null;
};
const say = (event) => `${event.composedPath()[0].localName ?? "document"}#${event.composedPath()[0].id ?? ""}`;

addEventListener("pointerdown", (event) => {
  const node = controlIn(event);
  press = { node, key: node?.control_.key ?? null, same: Boolean(node) && node === seen.get(meant), at: say(event), facts: facts(), after: null, t: performance.now() };
}, true);
addEventListener("pointerdown", () => fire("down"), true);
for (const type of ["pointermove", "mousemove"]) addEventListener(type, () => fire("move"), true);
document.addEventListener("pointerdown", (event) => {
  if (press) hits.push({ type: "press", key: press.key, same: press.same, at: press.at, facts: press.facts });
});
document.addEventListener("mousedown", () => press && (press.after = press.node?.control_.key ?? null));
for (const type of ["click", "dblclick", "contextmenu"])
  document.addEventListener(type, (event) => {
    const node = controlIn(event);
    if (type === "contextmenu" || node?.localName === "a") event.preventDefault();
    const key = node?.control_.key ?? null;
    const answered = node && press && node === press.node && key === press.after; // what it became by the page's own answer
    hits.push({ type, key: answered ? press.key : key, at: say(event), trusted: event.isTrusted, t: performance.now(), press: press?.t });
  });
for (const type of ["input", "focusin"])
  document.addEventListener(type, (event) => hits.push({ type, key: controlIn(event)?.control_.key ?? null, at: say(event) }));

// -- drift ----------------------------------------------------------------------------------------------------------

const itemOf = (key) => scene.items.find((item) => item.controls.some((c) => c.key === key));
const controlOf = (key) => itemOf(key)?.controls.find((c) => c.key === key);
const shuffle = (list) => {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
};
const newcomer = (near) => fresh({ ...near, text: near.text && `Guest ${Math.floor(random() * 9000 + 1000)}`,
  controls: near.controls.map((c) => ({ ...c, enabled: true, name: near.text ? c.name : `Extra ${Math.floor(random() * 9000 + 1000)}` })) });
// What lasts a moment; where the moment is over sooner, it is undone then.
const later = (ms, undo) => {
  const plan = { undo: () => (plan.undo = null, undo()), timer: setTimeout(() => plan.undo?.(), ms) };
  pending.push(plan);
};
const cover = () => {
  if (document.getElementById("cover")) return;
  document.body.append(made("<div id=cover></div>"));
};

const OPS = {
  shift: () => (document.getElementById("root").style.cssText += `;margin:${Math.floor(random() * 160)}px 0 0 ${Math.floor(random() * 300)}px`),
  banner: () => document.body.prepend(made(`<div class=banner style="height:${20 + Math.floor(random() * 90)}px;background:#fe8">News</div>`)),
  reorder: (mode) => (shuffle(scene.items), render(mode)),
  remount: () => render("fresh"),
  replaceOne: () => {
    const at = shown.findIndex(([, item]) => item === itemOf(meant));
    if (at < 0) return;
    const el = made(templates()[1]);
    shown[at][0].replaceWith(el);
    if (scene.kind === "virtual") el.style.top = shown[at][0].style.top;
    shown[at][0] = el;
    paint(el, shown[at][1]);
  },
  insert: (mode) => {
    for (let n = 1 + Math.floor(random() * 2); n; n--) scene.items.splice(Math.floor(random() * 2), 0, newcomer(pick(scene.items)));
    render(mode);
  },
  tick: () => {
    for (const item of scene.items) item.vol = item.vol && `${Math.floor(random() * 60)} min ago`;
    render("keyed");
  },
  rename: () => {
    const control = controlOf(meant);
    if (control?.name) control.name = `Other ${Math.floor(random() * 9000 + 1000)}`;
    render("keyed");
  },
  recycle: (mode) => {
    const at = scene.items.indexOf(itemOf(meant));
    if (at >= 0) scene.items[at] = newcomer(scene.items[at]);
    render(mode);
  },
  swap: () => {
    const at = scene.items.indexOf(itemOf(meant));
    if (at < 0) return;
    const other = (at + 1) % scene.items.length;
    [scene.items[at], scene.items[other]] = [scene.items[other], scene.items[at]];
    render("index");
  },
  duplicate: (mode) => {
    const at = scene.items.indexOf(itemOf(meant));
    if (at < 0) return;
    scene.items.splice(mode === "index" || random() < 0.5 ? at + 1 : at, 0, fresh(scene.items[at]));
    render(mode);
  },
  remove: (mode) => {
    scene.items = scene.items.filter((item) => item !== itemOf(meant));
    render(mode);
  },
  removeOthers: (mode) => {
    scene.items = scene.items.filter((item) => item === itemOf(meant) || random() < 0.5);
    render(mode);
  },
  disable: () => (controlOf(meant) && (controlOf(meant).enabled = false), render("keyed")),
  disableBriefly: () => {
    const control = controlOf(meant);
    if (!control) return;
    control.enabled = false;
    render("keyed");
    later(40 + random() * 120, () => ((control.enabled = true), render("keyed")));
  },
  cover,
  coverBriefly: () => (cover(), later(40 + random() * 120, () => document.getElementById("cover")?.remove())),
  hideBriefly: () => {
    const el = document.getElementById("root");
    el.style.visibility = "hidden";
    later(40 + random() * 120, () => (el.style.visibility = ""));
  },
  scroll: () => {
    document.body.style.paddingBottom = "1500px";
    scrollTo(0, random() * 200);
    const scroller = root.querySelector?.(".scroller");
    if (scroller) scroller.scrollTop = random() * scroller.scrollHeight;
  },
  resize: () => (document.getElementById("root").style.width = `${320 + Math.floor(random() * 500)}px`),
  animate: () => (document.getElementById("root").style.animation = `glide ${80 + Math.floor(random() * 200)}ms`),
  jitter: () => {
    const el = document.getElementById("root");
    let left = 6;
    const step = () => {
      el.style.paddingLeft = `${Math.floor(random() * 60)}px`;
      if (--left) pending.push({ frame: requestAnimationFrame(step) });
    };
    step();
  },
};

const run = (plan) => {
  plan.done = true;
  random = seeded(plan.seed);
  OPS[plan.op](plan.mode);
};
const fire = (when) => {
  for (const plan of pending) if (plan.when === when && !plan.done) run(plan);
};

// Let drift come: plans of {op, mode, when: now|timer|frames|move|down, ms, seed}. `key` is what the act means.
stage.drift = (key, plans) => {
  stage.stop();
  meant = key;
  hits = [];
  press = null;
  for (const plan of plans) {
    if (plan.when === "now") run(plan);
    else if (plan.when === "timer") pending.push({ timer: setTimeout(() => run(plan), plan.ms) });
    else if (plan.when === "frames") {
      let left = Math.ceil(plan.ms / 16);
      const step = () => (--left > 0 ? pending.push({ frame: requestAnimationFrame(step) }) : run(plan));
      pending.push({ frame: requestAnimationFrame(step) });
    } else pending.push(plan);
  }
};

// No drift comes any more; what was for a moment is undone.
stage.stop = () => {
  const left = pending;
  pending = [];
  for (const { timer, frame, undo } of left) {
    if (timer) clearTimeout(timer);
    if (frame) cancelAnimationFrame(frame);
    undo?.();
  }
};

// What was received since the drift was set going, and how things stand now.
stage.told = () => ({ hits, now: facts() });
