import { useEffect } from 'react';
import { useServer } from '../console-context.ts';
import { teamOf } from './team-store.ts';

/** Lets the others see that this person looks at a report, for as long as the component is on screen. */
export function useLook(reportId: number): void {
  const store = teamOf(useServer());
  useEffect(() => {
    store.snapshot().look(reportId);
    return () => store.snapshot().look(undefined);
  }, [store, reportId]);
}
