import type { Database } from '../database/schema.ts';
import { inTransaction } from '../database/transaction.ts';
import { findRoomByAlias } from '../rooms/alias-store.ts';
import type { RoomContext } from '../rooms/append-events.ts';
import { enterRoom } from '../rooms/change-membership.ts';
import { createRoom } from '../rooms/create-room.ts';
import type { SampleRoom } from './rooms.ts';

type MakingContext = RoomContext & { db: Database };

/** Makes a public room with everybody in it; one whose alias exists is used again. */
export async function makeRoom(context: MakingContext, room: SampleRoom, members: string[]): Promise<string> {
  const { db, config } = context;
  const [creator = '', ...others] = members;
  const known = room.alias && (await findRoomByAlias(db, `#${room.alias}:${config.serverName}`));
  const roomId =
    known ||
    (await createRoom(context, creator, {
      preset: 'public_chat',
      ...(room.name && { name: room.name }),
      ...(room.topic && { topic: room.topic }),
      ...(room.alias && { room_alias_name: room.alias }),
    }));
  await inTransaction(db, async (tx) => {
    for (const member of others) await enterRoom(tx, context, roomId, member);
  });
  return roomId;
}
