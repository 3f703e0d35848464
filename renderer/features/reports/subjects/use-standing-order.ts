import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { inPlaces, type Subject } from './subjects.ts';

type Kept = { name: string; keys: readonly string[] };

/**
 * Groups where they stand while somebody is among them, however many more come in: what is pointed at doesn't move.
 *
 * @param name names the list: another one stands in its own order
 * @param isSettled whether the order says something already: before that, groups go where they belong
 */
export function useStandingOrder(subjects: readonly Subject[] | undefined, name: string, isSettled: boolean) {
  const [isHeld, hold] = useState(false);
  const [kept, setKept] = useState<Kept>();
  const keeps = isHeld && isSettled;
  const keys = keeps && kept?.name === name ? kept.keys : undefined;
  const standing = useMemo(() => (subjects && keys ? inPlaces(subjects, keys) : subjects), [subjects, keys]);

  const latest = useRef(subjects);
  latest.current = subjects;
  const keep = useCallback(
    () => setKept({ name, keys: (latest.current ?? []).map(({ key }) => key) }),
    [name],
  );
  useEffect(() => {
    if (keeps) keep();
  }, [keeps, keep]);

  return {
    subjects: standing,
    hold,
    /** Puts them where they belong; undefined where they stand so. */
    putInOrder: standing?.some((subject, place) => subject !== subjects?.[place]) ? keep : undefined,
  };
}
