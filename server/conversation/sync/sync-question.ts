/** Where a sync ended, as clients hand it back. It is theirs to keep, and not to read. */

import type { Filter } from '../../../shared/api/filters.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { MatrixError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { BumpStamps } from '../sliding-sync/sliding-list-store.ts';
import type { SentMembersCache } from './lazy-members.ts';
import type { ReadRecentEvents } from './recent-events.ts';

export const syncToken = ({ events, changes }: StreamPositions): string => `s${events}_${changes}`;

/** @throws MatrixError 400 `M_UNKNOWN` for what is no token of a sync */
export function readSyncToken(token: string): StreamPositions {
  const [, events, changes] = /^s(\d{1,15})_(\d{1,15})$/.exec(token) ?? [];
  if (events === undefined) throw new MatrixError(400, 'M_UNKNOWN', 'Invalid stream token');
  return { events: Number(events), changes: Number(changes) };
}

/** What a sync asks for, and what it takes to answer. */

export type SyncContext = {
  db: Database;
  clock: Clock;
  sentMembers: SentMembersCache;
  bumpStamps: BumpStamps;
  readRecentEvents: ReadRecentEvents;
};

export type SyncQuestion = {
  requester: Requester;
  filter: Filter;
  /** Where the last sync ended; undefined for the first one. */
  since: StreamPositions | undefined;
  /** All state of all rooms that the user is in. */
  fullState: boolean;
  /** The state at the end of the timelines, instead of that at their beginning. */
  stateAfter: boolean;
  /** Whether the rooms are read some at a time: all of them may be more than there is memory. */
  inPieces?: boolean;
};
