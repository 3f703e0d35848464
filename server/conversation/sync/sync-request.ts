import type { Filter } from '../../../shared/api/sync.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { BumpStamps } from '../sliding-sync/sliding-list-store.ts';
import type { ReadRecentEvents } from './recent-events.ts';
import type { SentMembersCache } from './room-state.ts';

export type SyncContext = {
  db: Database;
  clock: Clock;
  sentMembers: SentMembersCache;
  bumpStamps: BumpStamps;
  readRecentEvents: ReadRecentEvents;
};

export type SyncRequest = {
  requester: Requester;
  filter: Filter;
  /** Positions at which the last sync ended; undefined for an initial sync. */
  since: StreamPositions | undefined;
  /** Whether to return the full state of all joined rooms. */
  fullState: boolean;
  /** Whether to return the state at the end of the timelines instead of that at their start. */
  stateAfter: boolean;
};

/** The `next_batch` of a sync. Clients must treat it as opaque. */
export const syncToken = ({ events, changes }: StreamPositions): string => `s${events}_${changes}`;

/** @throws MatrixError 400 `M_UNKNOWN` if it isn't a sync token */
export function readSyncToken(token: string): StreamPositions {
  const [, events, changes] = /^s(\d{1,15})_(\d{1,15})$/.exec(token) ?? [];
  if (events === undefined) throw new MatrixError(400, 'M_UNKNOWN', 'Invalid stream token');
  return { events: Number(events), changes: Number(changes) };
}
