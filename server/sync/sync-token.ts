/** Where a sync ended, as clients hand it back. It is theirs to keep, and not to read. */
import { MatrixError } from '../core/matrix-error.ts';
import type { Places } from '../database/changes.ts';

export const syncToken = ({ events, changes }: Places): string => `s${events}_${changes}`;

/** @throws MatrixError 400 `M_UNKNOWN` for what is no token of a sync */
export function readSyncToken(token: string): Places {
  const [, events, changes] = /^s(\d{1,15})_(\d{1,15})$/.exec(token) ?? [];
  if (events === undefined) throw new MatrixError(400, 'M_UNKNOWN', 'Invalid stream token');
  return { events: Number(events), changes: Number(changes) };
}
