/** Purging a room's history. The reference homeserver's "Purge History API". */
import { Type } from 'typebox';
import { Nullable } from '../../shared/api/common.ts';
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
  return (await server.send('POST', PurgeId, path, { body: request })).purge_id;
}

const PurgeStatus = Type.Object({ status: Type.String(), error: Type.Optional(Nullable(Type.String())) });

/** How far that is. */
export const purgeStatus = (server: Server, id: string) =>
  server.get(PurgeStatus, `/v1/purge_history_status/${encodeURIComponent(id)}`);
