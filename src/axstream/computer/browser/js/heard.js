// What the documents of this process asked a person for since this was asked last; they are told apart by nobody here.
const MAX_VIEWS = 200; // frames inside each other and beside; a page with more is not heard in the rest

const eachView = (act) => {
  const views = [window];
  for (const view of views) {
    for (let at = 0; at < view.length && views.length < MAX_VIEWS; at++) views.push(view[at]);
    try {
      act(view);
    } catch {
      // a frame of another process has a world of its own
    }
  }
};

axs.takeAsks = () => {
  const found = [];
  const hear = (event) => found.push(event.key);
  eachView((view) => {
    view.addEventListener(config.tells, hear);
    view.dispatchEvent(new Event(config.takes));
    view.removeEventListener(config.tells, hear);
  });
  return found.filter((words) => words !== "here");
};

// The documents of this process are left to themselves: what stands in their own worlds goes, what watches them is quiet.
axs.leave = () => {
  // Twice: what was replaced over something else of ours goes first.
  for (let round = 0; round < 2; round++) eachView((view) => view.dispatchEvent(new Event(config.leaves)));
  axs.unwatch();
};
