import { useEffect } from 'react';
import { useServer } from '../console-context.ts';
import type { ReportKind } from './entries.ts';
import { teamOf } from './team-store.ts';

/** Lets the others see that this person looks at a report, for as long as the component is on screen. */
export function useLook(id: number, of: ReportKind = 'report'): void {
  const store = teamOf(useServer());
  useEffect(() => {
    store.snapshot().look(`${of} ${id}`);
    return () => store.snapshot().look(null);
  }, [store, of, id]);
}
