import { type RefObject, useEffect } from 'react';

/** So long it stays, at least, when somebody is found at it, or comes back to the page. */
const atLeast = 10_000;

/**
 * Takes something off the screen by itself at a time, in milliseconds since the Unix epoch, but not while somebody points
 * at what it is in, has the focus in it, or can't see the page.
 *
 * @param at undefined where it stays
 */
export function useLeaving(at: number | undefined, within: RefObject<HTMLElement | null>, leave: () => void) {
  useEffect(() => {
    if (at === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (document.hidden || within.current?.matches(':hover, :focus-within')) wait(atLeast);
        else leave();
      }, milliseconds);
    };
    const left = () => Math.max(at - Date.now(), 0);
    const seenAgain = () => document.hidden || wait(Math.max(left(), atLeast));
    wait(left());
    document.addEventListener('visibilitychange', seenAgain);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seenAgain);
    };
  }, [at, within, leave]);
}
