/** Undoes something; returns `false` if there was nothing left to undo. */
type Undo = () => unknown;

type Offer = { undo: Undo; at: number; key: string | undefined };
type Begun = {
  /** When it was begun, in milliseconds since the Unix epoch; now if left out. */
  at?: number | undefined;
  /** Replaces the offer that has the same key. */
  key?: string | undefined;
};

/** What can be undone on this page, in the order in which it was begun. */
const offers: Offer[] = [];
const mostOffered = 100;

/** Offers an undo. Returns a function that withdraws the offer. */
export function offerUndo(undo: Undo, { at = Date.now(), key }: Begun = {}): () => void {
  if (key !== undefined) withdrawUndo(key);
  const offer = { undo, at, key };
  offers.splice(offers.findLastIndex((other) => other.at <= at) + 1, 0, offer);
  if (offers.length > mostOffered) offers.shift();
  return () => {
    const index = offers.indexOf(offer);
    if (index !== -1) offers.splice(index, 1);
  };
}

export function withdrawUndo(key: string) {
  const index = offers.findIndex((offer) => offer.key === key);
  if (index !== -1) offers.splice(index, 1);
}

export const isUndoOffered = (key: string): boolean => offers.some((offer) => offer.key === key);

/** Undoes what was begun last. Returns whether there was anything to undo. */
export function undoLatest(): boolean {
  while (offers.length > 0) if (offers.pop()?.undo() !== false) return true;
  return false;
}
