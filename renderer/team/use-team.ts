import { Type } from 'typebox';
import type { ReportKind } from '../../shared/team/entries.ts';
import { useServer } from '../console-context.ts';
import { useStoreValue } from '../subscribers.ts';
import type { Team } from './team.ts';
import { teamOf } from './team-store.ts';

/** Returns the connected server's team: a new object after each change. */
export const useTeam = (): Team => useTeamValue((team) => team);

/** Renders again only when the selected value changes. `select` must return a stable reference. */
export function useTeamValue<Value>(select: (team: Team) => Value): Value {
  const store = teamOf(useServer());
  return useStoreValue(store, () => select(store.snapshot()));
}

export const useMarks = (of: ReportKind = 'report') => useTeamValue(({ marksOf }) => marksOf[of]);

export const useAreMarksKnown = () => useTeamValue(({ areMarksKnown }) => areMarksKnown);

/**
 * Returns the state of reading the team room, like a query. Until `isRead`, an empty list from it may be incomplete;
 * after a failure it may stay so.
 */
export function useTeamReading() {
  const { areMarksKnown: isRead, areMarksLoading: isFetching, sync } = useTeam();
  const error = !isRead && 'why' in sync.room ? sync.room.why : null;
  return { isRead, error, isFetching, dataUpdatedAt: 0, refetch: sync.retry };
}

/** Whether the offer to share with the team was dismissed on this device. */
export function useOfferDismissal(): { isDismissed: boolean; dismiss: () => void } {
  const server = useServer();
  const waved = server.deviceStorage.open(`gatehouse.team.later.${server.id}`, Type.Boolean(), false);
  return { isDismissed: useStoreValue(waved, waved.read), dismiss: () => waved.write(true) };
}
