// What a page received, kept over navigations of one tab. `window.report` is read by the tests.
const report = JSON.parse(sessionStorage.getItem("report")) ?? {
  clicks: {}, doubles: {}, contexts: {}, hovers: {}, submits: [], keys: [], drops: [], moves: 0, downs: 0, ups: 0,
};
window.report = report;
addEventListener("pagehide", () => sessionStorage.setItem("report", JSON.stringify(report)));

const count = (table, name) => (table[name] = (table[name] ?? 0) + 1);
const counts = (el, name) =>
  el.addEventListener("click", (event) => {
    if (event.isTrusted && event.detail !== undefined) count(report.clicks, name);
  });

const down = new Set();
window.pressed = () => [...down].sort();
const BUTTONS = { 0: "left", 1: "middle", 2: "right" };
const SAME = { control: "ctrl", " ": "space" };
const keyName = (key) => SAME[key.toLowerCase()] ?? (key.length === 1 ? key : key.toLowerCase());
addEventListener("pointerdown", (event) => { report.downs++; down.add(BUTTONS[event.button]); }, true);
addEventListener("pointerup", (event) => { report.ups++; down.delete(BUTTONS[event.button]); }, true);
addEventListener("pointermove", () => { if (down.has("left")) report.moves++; }, true);
addEventListener("keydown", (event) => down.add(event.code || keyName(event.key)), true);
addEventListener("keyup", (event) => down.delete(event.code || keyName(event.key)), true);
