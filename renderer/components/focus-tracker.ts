export type FocusTracker = ReturnType<typeof focusTracker>;

/** Distinguishes focus by key from focus that a closing popover restores, which must not open a hint. */
export function focusTracker() {
  let isMoved = false;
  const onKeyDown = ({ key }: KeyboardEvent) => {
    isMoved = /^(Tab|Arrow)/.test(key);
  };
  window.addEventListener('keydown', onKeyDown, true);
  return {
    isMovedByKey: () => isMoved,
    close: () => window.removeEventListener('keydown', onKeyDown, true),
  };
}
