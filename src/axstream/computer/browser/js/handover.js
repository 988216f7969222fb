// In the page's own world, before its scripts: hands shadow roots to our world as they are made. Closed ones stay closed
// for the page. Nothing is added to any object, and what is replaced answers like the browser's own.
(asks, hands, leaves) => {
  // Everything that is used later is taken now: a page may replace what it likes.
  const { apply } = Reflect;
  const { addEventListener, dispatchEvent, removeEventListener } = EventTarget.prototype;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const { deref } = WeakRef.prototype;
  const { set } = WeakMap.prototype;
  const View = window;
  const Handover = FocusEvent; // carries a node across worlds, whose objects are shared
  const Ref = WeakRef;
  const early = document.documentElement === null;
  const attachShadow = Element.prototype.attachShadow;
  const toString = Function.prototype.toString;
  const named = new WeakMap(); // gives a root's wrapper an identity, without which the browser may drop it
  let kept = null; // a list of roots: for a world of ours that comes later

  let answered = false;
  const hear = () => (answered = true);
  apply(addEventListener, View, [hands, hear, { once: true }]);
  View.dispatchEvent(new Event(asks));
  View.removeEventListener(hands, hear);
  if (answered) return; // it stands here already

  const send = (init) => apply(dispatchEvent, View, [new Handover(hands, init)]);
  const attach = new Proxy(attachShadow, {
    __proto__: null,
    apply(target, host, args) {
      const root = apply(target, host, args);
      apply(set, named, [root, true]);
      if (root.mode === "closed") kept = { __proto__: null, ref: new Ref(root), next: kept };
      send({ __proto__: null, relatedTarget: root });
      return root;
    },
  });
  const shown = new Proxy(toString, {
    __proto__: null,
    apply: (target, self, args) => apply(target, self === attach ? attachShadow : self === shown ? toString : self, args),
  });
  const put = (object, name, value) =>
    defineProperty(object, name, { __proto__: null, ...getOwnPropertyDescriptor(object, name), value });
  put(Element.prototype, "attachShadow", attach);
  put(Function.prototype, "toString", shown);
  const give = () => {
    send({ __proto__: null, detail: early ? 1 : 0 });
    for (let entry = kept; entry; entry = entry.next) {
      const root = apply(deref, entry.ref, []);
      if (root) send({ __proto__: null, relatedTarget: root });
    }
  };
  apply(addEventListener, View, [asks, give]);
  // We are gone: what was replaced is the browser's own again, where the page did not replace it in its turn.
  const restore = (object, name, stand, original) => {
    if (getOwnPropertyDescriptor(object, name)?.value === stand) put(object, name, original);
  };
  const Elements = Element.prototype;
  const Functions = Function.prototype;
  const leave = () => {
    kept = null;
    apply(removeEventListener, View, [asks, give]);
    restore(Elements, "attachShadow", attach, attachShadow);
    restore(Functions, "toString", shown, toString);
  };
  apply(addEventListener, View, [leaves, leave]);
}
