/** The last thing that was done and can be undone, on this page. */
let latest: (() => void) | undefined;

export function setLatestUndo(undo: () => void) {
  latest = undo;
}

/** Undoes it, once. */
export function undoLatest() {
  const undo = latest;
  latest = undefined;
  undo?.();
}
