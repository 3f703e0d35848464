import { type RefCallback, useCallback, useState } from 'react';
import { type Asked, untilAskedAgain } from '../query-client.ts';

/** Dwell time: a user who moves through the list by key skips over items. */
const dwellMilliseconds = 250;

/** Returns a ref and whether its element has been visible for a moment. Stays true. */
export function useLookedAt(): [RefCallback<HTMLElement>, boolean] {
  const [lookedAt, setLookedAt] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (!entry?.isIntersecting) return;
      timer = setTimeout(() => {
        observer.disconnect();
        setLookedAt(true);
      }, dwellMilliseconds);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return [ref, lookedAt];
}

const everyMs = 15_000;

/** Polls, to show other admins' changes once there is data. */
export const lookAgain = (query: Asked) =>
  query.state.data === undefined ? untilAskedAgain(query) : everyMs;
