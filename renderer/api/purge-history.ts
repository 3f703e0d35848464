/** Purging a room's history. The reference homeserver's "Purge History API". */
import { Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
import { ScheduledTaskList } from '../../shared/api/tasks.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { NoSuchEndpoint, NotFound } from '../transport/refusal.ts';
import { body, type Server } from '../transport/server.ts';

const Request = Type.Object({ purge_up_to_ts: Type.Integer(), delete_local_events: Type.Boolean() });
const PurgeId = Type.Object({ purge_id: Type.String() });

/** Begins to delete what was sent before a time, in milliseconds. @returns the id of the work */
export async function purgeHistory(
  server: Server,
  roomId: string,
  { before, ownToo }: { before: number; ownToo: boolean },
): Promise<string> {
  const path = `/v1/purge_history/${encodeURIComponent(roomId)}`;
  const request = body(Request, { purge_up_to_ts: before, delete_local_events: ownToo });
  try {
    return (await server.send('POST', PurgeId, path, { body: request })).purge_id;
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'Nothing to purge: no such room, or no events before that date.',
    );
  }
}

/** A purge of the room's history that waits for its time or is at work; a server has one at a time of each room. */
export async function unfinishedPurge(server: Server, roomId: string, signal: AbortSignal) {
  const query = new URLSearchParams({ action_name: 'purge_history', resource_id: roomId });
  try {
    const { scheduled_tasks } = await server.get(ScheduledTaskList, `/v1/scheduled_tasks?${query}`, {
      signal,
    });
    return scheduled_tasks.find(({ status }) => status === 'scheduled' || status === 'active');
  } catch (error) {
    if (error instanceof NoSuchEndpoint) return undefined;
    throw error;
  }
}

const PurgeStatus = Type.Object({ status: Type.String(), error: Type.Optional(Nullable(Type.String())) });

/** How far that is. */
export const purgeStatus = (server: Server, id: string) =>
  server.get(PurgeStatus, `/v1/purge_history_status/${encodeURIComponent(id)}`);
