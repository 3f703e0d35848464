import { type RefCallback, useCallback, useState } from 'react';

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
