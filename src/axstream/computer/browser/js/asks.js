// In the page's own world, before its scripts: says what a page asks the browser or a person for, which no event tells.
// What is replaced answers like the browser's own; only print() opens no window, which would stop the page. What was
// asked is kept until our world takes it.
(takes, tells) => {
  // Everything that is used later is taken now: a page may replace what it likes.
  const { apply } = Reflect;
  const { get, set } = WeakMap.prototype;
  const { addEventListener, dispatchEvent } = EventTarget.prototype;
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
  apply(addEventListener, View, [
    takes,
    () => {
      const entry = { __proto__: null, words: "here", next: kept };
      kept = null;
      count = 0;
      send(entry);
    },
  ]);
  const put = (owner, key, value) =>
    Object.defineProperty(owner, key, { ...Object.getOwnPropertyDescriptor(owner, key), value });
  const replace = (owner, key, act) => {
    const original = owner && Object.getOwnPropertyDescriptor(owner, key)?.value;
    if (typeof original !== "function") return;
    const stand = new Proxy(original, { __proto__: null, apply: (target, self, args) => act(target, self, args) });
    apply(set, real, [stand, original]);
    put(owner, key, stand);
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
  if (View === View.top) {
    const fullscreen = () => tell(document.fullscreenElement ? "fullscreen on" : "fullscreen off");
    apply(addEventListener, document, ["fullscreenchange", fullscreen]);
  }
  replace(Function.prototype, "toString", (target, self, args) => {
    const original = typeof self === "function" ? apply(get, real, [self]) : undefined;
    return apply(target, original ?? self, args);
  });
}
