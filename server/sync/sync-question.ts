/** What a sync asks for, and what it takes to answer. */
import type { Filter } from '../../shared/api/filters.ts';
import type { Clock } from '../core/clock.ts';
import type { Requester } from '../core/requester.ts';
import type { Places } from '../database/changes.ts';
import type { Database } from '../database/schema.ts';
import type { SentMembersCache } from './lazy-members.ts';
import type { ReadRecentEvents } from './recent-events.ts';
import type { BumpStamps } from './sliding-list-store.ts';

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
  since: Places | undefined;
  /** All state of all rooms that the user is in. */
  fullState: boolean;
  /** The state at the end of the timelines, instead of that at their beginning. */
  stateAfter: boolean;
  /** Whether the rooms are read some at a time: all of them may be more than there is memory. */
  inPieces?: boolean;
};
