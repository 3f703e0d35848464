/** Publishing rooms. Client-server API, "Published Room Directory". */
import { forbidden, MatrixError, notFound } from '../../../platform/core/matrix-error.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { RoomContext } from '../events/append-events.ts';
import { lockRoom, setRoomPublic } from '../room-store.ts';
import { listAliases } from './alias-store.ts';
import { type Actor, mayNameRoom } from './aliases.ts';
import { mayPublish } from './directory-rules.ts';
import { type Network, setAppServiceRoom } from './public-room-store.ts';

/**
 * Publishes a room or removes it from the directory.
 *
 * @throws MatrixError 400 for an unknown room; 403 if the user may not change the room's aliases or publish it
 */
export async function setVisibility(
  { db, config }: Pick<RoomContext, 'config'> & { db: Database },
  { userId, admin }: Actor,
  roomId: string,
  isPublic: boolean,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const room = await lockRoom(tx, roomId);
    if (!room) throw unknown(400, 'Unknown room');
    if (!admin && !(await mayNameRoom(tx, roomId, userId))) {
      throw forbidden('This server requires you to be a moderator in the room to edit its room list entry');
    }
    const named = { roomId, aliases: await listAliases(tx, roomId) };
    if (isPublic && !mayPublish(config, { userId, admin }, named)) {
      throw unknown(403, 'Not allowed to publish room');
    }
    await setRoomPublic(tx, room, isPublic);
  });
}

/** Does the same in the directory of an application service's network. @throws MatrixError 404 for an unknown room */
export async function setVisibilityInNetwork(
  { db }: { db: Database },
  network: Network,
  roomId: string,
  isListed: boolean,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockRoom(tx, roomId))) throw notFound('Unknown room');
    await setAppServiceRoom(tx, network, roomId, isListed);
  });
}

const unknown = (status: number, sentence: string) => new MatrixError(status, 'M_UNKNOWN', sentence);
