import { useSyncExternalStore } from 'react';
import { useServer } from '../console-context.ts';
import type { Team } from './team.ts';
import { teamOf } from './team-store.ts';

/** The team of the connected server; another object whenever something changed. */
export function useTeam(): Team {
  const store = teamOf(useServer());
  return useSyncExternalStore(store.subscribe, store.snapshot);
}
