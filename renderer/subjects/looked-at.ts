import { type RefCallback, useCallback, useState } from 'react';
import { type Asked, untilAskedAgain } from '../query-client.ts';

/** So long something has to stay in sight: who walks through the list by key looks at nothing on the way. */
const dwellMilliseconds = 250;

/** Whether an element has been in sight for a moment; from then on it stays so. */
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

/** What other administrators do meanwhile shows: a page that could be shown looks again every few seconds. */
export const lookAgain = (query: Asked) =>
  query.state.data === undefined ? untilAskedAgain(query) : everyMs;
