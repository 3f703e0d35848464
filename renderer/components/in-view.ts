import { type RefCallback, useCallback, useState } from 'react';
import { type FailedQuery, untilRefetch } from '../query-client.ts';

/** Dwell time: a user who moves through the list by key skips over items. */
const dwellMs = 250;

/** Returns a ref and whether its element has been visible for a moment. Stays true. */
export function useDwelledInView(): [RefCallback<HTMLElement>, boolean] {
  const [isSeen, setSeen] = useState(false);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (!entry?.isIntersecting) return;
      timer = setTimeout(() => {
        observer.disconnect();
        setSeen(true);
      }, dwellMs);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  return [ref, isSeen];
}

const pollIntervalMs = 15_000;

/** Polls, to show other admins' changes once there is data. */
export const pollWhileLoaded = (query: FailedQuery) =>
  query.state.data === undefined ? untilRefetch(query) : pollIntervalMs;
