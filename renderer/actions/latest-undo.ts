/** Takes something back; `false` where there was nothing to take back any more. */
type Undo = () => unknown;

/** What was done on this page and can be taken back, the latest last. */
const done: Undo[] = [];
const mostKept = 100;

/** Offers to take back what was done just now; gives what withdraws that: it was taken back, or can't be any more. */
export function offerUndo(undo: Undo): () => void {
  done.push(undo);
  if (done.length > mostKept) done.shift();
  return () => {
    const at = done.lastIndexOf(undo);
    if (at !== -1) done.splice(at, 1);
  };
}

/** Takes back the last thing that was done, whatever it was; gives whether there was any. */
export function undoLatest(): boolean {
  while (done.length > 0) if (done.pop()?.() !== false) return true;
  return false;
}
