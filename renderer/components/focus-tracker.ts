export type FocusTracker = ReturnType<typeof focusTracker>;

/** Tells a focus that the last key moved from one that a closing popover restores: that one must not open a hint. */
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
