// What the documents of this process asked a person for since this was asked last; they are told apart by nobody here.
const MAX_VIEWS = 200; // frames inside each other and beside; a page with more is not heard in the rest

axs.takeAsks = () => {
  const found = [];
  const hear = (event) => found.push(event.key);
  const views = [window];
  for (const view of views) {
    for (let at = 0; at < view.length && views.length < MAX_VIEWS; at++) views.push(view[at]);
    try {
      view.addEventListener(config.tells, hear);
      view.dispatchEvent(new Event(config.takes));
      view.removeEventListener(config.tells, hear);
    } catch {
      // a frame of another process has a world of its own
    }
  }
  return found.filter((words) => words !== "here");
};
