// In the page's own world, before its scripts: says what a page asks the browser or a person for, which no event tells.
// What is replaced answers like the browser's own; only print() opens no window, which would stop the page. What was
// asked is kept until our world takes it.
(takes, tells, leaves) => {
  // Everything that is used later is taken now: a page may replace what it likes.
  const { apply } = Reflect;
  const { get, set } = WeakMap.prototype;
  const { addEventListener, dispatchEvent, removeEventListener } = EventTarget.prototype;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { then } = Promise.prototype;
  const toString = Function.prototype.toString;
  const permissions = navigator.permissions;
  const query = globalThis.Permissions?.prototype.query;
  const Happening = Event;
  const Telling = StorageEvent; // carries words across worlds
  const View = window;
  const real = new WeakMap(); // what was replaced, by what stands in its place

  const MOST = 100; // kept at a time; who asks more often has been heard
  let kept = null; // a list, the newest first
  let count = 0;

  let answered = false;
  const hear = () => (answered = true);
  apply(addEventListener, View, [tells, hear, { once: true }]);
  apply(dispatchEvent, View, [new Happening(takes)]);
  View.removeEventListener(tells, hear);
  if (answered) return; // it stands here already

  const tell = (words) => {
    if (count++ < MOST) kept = { __proto__: null, words, next: kept };
  };
  const send = (entry) => {
    if (entry.next) send(entry.next);
    apply(dispatchEvent, View, [new Telling(tells, { __proto__: null, key: entry.words })]);
  };
  const give = () => {
    const entry = { __proto__: null, words: "here", next: kept };
    kept = null;
    count = 0;
    send(entry);
  };
  apply(addEventListener, View, [takes, give]);
  const put = (owner, key, value) =>
    defineProperty(owner, key, { __proto__: null, ...getOwnPropertyDescriptor(owner, key), value });
  let left = false; // we are gone: what a page kept of what stood here is the browser's own again
  let stands = null; // a list of what was replaced
  const replace = (owner, key, act) => {
    const original = owner && getOwnPropertyDescriptor(owner, key)?.value;
    if (typeof original !== "function") return;
    const stand = new Proxy(original, {
      __proto__: null,
      apply: (target, self, args) => (left ? apply(target, self, args) : act(target, self, args)),
    });
    apply(set, real, [stand, original]);
    put(owner, key, stand);
    stands = { __proto__: null, owner, key, original, stand, next: stands };
  };
  // What is asked for, and how that stands: "granted", "denied", or "prompt" where nobody has decided.
  const asked = (what, permission) => {
    const say = (state) => tell(`asked ${what} ${state}`);
    if (!query || !permission) return say("prompt");
    const answer = apply(query, permissions, [{ __proto__: null, name: permission }]);
    apply(then, answer, [(status) => say(status.state), () => say("prompt")]);
  };
  const watch = (owner, key, what, permission) =>
    replace(owner, key, (target, self, args) => {
      asked(what, permission);
      return apply(target, self, args);
    });

  for (const key of ["getCurrentPosition", "watchPosition"])
    watch(globalThis.Geolocation?.prototype, key, "place", "geolocation");
  watch(globalThis.Notification, "requestPermission", "notifications", "notifications");
  watch(globalThis.PushManager?.prototype, "subscribe", "notifications", "notifications");
  for (const key of ["read", "readText"]) watch(globalThis.Clipboard?.prototype, key, "clipboard", "clipboard-read");
  watch(globalThis.MediaDevices?.prototype, "getDisplayMedia", "screen");
  watch(globalThis.Navigator?.prototype, "requestMIDIAccess", "midi", "midi");
  for (const [owner, key] of [["Bluetooth", "requestDevice"], ["USB", "requestDevice"], ["HID", "requestDevice"], ["Serial", "requestPort"]])
    watch(globalThis[owner]?.prototype, key, "device");
  replace(globalThis.MediaDevices?.prototype, "getUserMedia", (target, self, args) => {
    try {
      if (args[0]?.video) asked("camera", "camera");
      if (args[0]?.audio) asked("microphone", "microphone");
    } catch {
      // what was given cannot be read: the browser will say so
    }
    return apply(target, self, args);
  });
  replace(View, "print", () => {
    tell("print");
    for (const kind of ["beforeprint", "afterprint"]) apply(dispatchEvent, View, [new Happening(kind)]);
  });
  const fullscreen = () => tell(document.fullscreenElement ? "fullscreen on" : "fullscreen off");
  if (View === View.top) apply(addEventListener, document, ["fullscreenchange", fullscreen]);
  replace(Function.prototype, "toString", (target, self, args) => {
    const original = typeof self === "function" ? apply(get, real, [self]) : undefined;
    return apply(target, original ?? self, args);
  });
  const leave = () => {
    left = true;
    apply(removeEventListener, View, [takes, give]);
    apply(removeEventListener, document, ["fullscreenchange", fullscreen]);
    for (let at = stands; at; at = at.next)
      if (getOwnPropertyDescriptor(at.owner, at.key)?.value === at.stand) put(at.owner, at.key, at.original);
  };
  apply(addEventListener, View, [leaves, leave]);
}
