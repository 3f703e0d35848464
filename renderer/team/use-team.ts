import { useSyncExternalStore } from 'react';
import { Type } from 'typebox';
import { useServer } from '../console-context.ts';
import type { ReportKind } from './entries.ts';
import type { Team } from './team.ts';
import { teamOf } from './team-store.ts';

/** The team of the connected server; another object whenever something changed. */
export const useTeam = (): Team => useOfTeam((team) => team);

/**
 * What a large part of a screen needs of the team, which is not drawn anew for anything else that changes there.
 *
 * @param part takes it out: the same for as long as it is the same
 */
export function useOfTeam<Part>(part: (team: Team) => Part): Part {
  const store = teamOf(useServer());
  return useSyncExternalStore(store.subscribe, () => part(store.snapshot()));
}

export const useMarks = (of: ReportKind = 'report') => useOfTeam(({ marksOf }) => marksOf[of]);

export const useAreMarksKnown = () => useOfTeam(({ areMarksKnown }) => areMarksKnown);

/** Whether the offer to share with the team was waved away on this machine, and the way to do so. */
export function useOfferLater(): { isLater: boolean; later: () => void } {
  const server = useServer();
  const waved = server.kept.open(`gatehouse.team.later.${server.id}`, Type.Boolean(), false);
  return { isLater: useSyncExternalStore(waved.subscribe, waved.read), later: () => waved.write(true) };
}
