import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * One function for as long as the component is on screen, which does what the latest rendering says: the part of the
 * screen that it is given to isn't rendered anew for another one.
 */
export function useSteady<Given extends unknown[], Result>(work: (...given: Given) => Result) {
  const latest = useRef(work);
  useLayoutEffect(() => {
    latest.current = work;
  });
  return useCallback((...given: Given) => latest.current(...given), []);
}
