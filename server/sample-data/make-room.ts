import { inTransaction } from '../database/transaction.ts';
import { findRoomByAlias } from '../rooms/alias-store.ts';
import { enterRoom } from '../rooms/change-membership.ts';
import { createRoom } from '../rooms/create-room.ts';
import type { Services } from '../services.ts';
import type { SampleRoom } from './rooms.ts';

/** Makes a public room with everybody in it; one whose alias exists is used again. */
export async function makeRoom(services: Services, room: SampleRoom, members: string[]): Promise<string> {
  const { db, config } = services;
  const [creator = '', ...others] = members;
  const known = room.alias && (await findRoomByAlias(db, `#${room.alias}:${config.serverName}`));
  const roomId =
    known ||
    (await createRoom(services, creator, {
      preset: 'public_chat',
      ...(room.name && { name: room.name }),
      ...(room.topic && { topic: room.topic }),
      ...(room.alias && { room_alias_name: room.alias }),
    }));
  await inTransaction(db, async (tx) => {
    for (const member of others) await enterRoom(tx, services, roomId, member);
  });
  return roomId;
}
