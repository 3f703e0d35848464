import { inTransaction } from '../database/transaction.ts';
import { findRoomByAlias } from '../rooms/alias-store.ts';
import { createRoom } from '../rooms/create-room.ts';
import { joinRoom } from '../rooms/membership.ts';
import type { Services } from '../services.ts';
import type { SampleRoom } from './rooms.ts';

/** Makes a public room with everybody in it; one whose alias exists is used again. */
export async function makeRoom(services: Services, room: SampleRoom, members: string[]): Promise<string> {
  const { db, config } = services;
  const [creator = '', ...others] = members;
  return inTransaction(db, async (tx) => {
    const known = room.alias && (await findRoomByAlias(tx, `#${room.alias}:${config.serverName}`));
    const roomId =
      known ||
      (await createRoom(tx, services, creator, {
        preset: 'public_chat',
        ...(room.name && { name: room.name }),
        ...(room.topic && { topic: room.topic }),
        ...(room.alias && { room_alias_name: room.alias }),
      }));
    for (const member of others) await joinRoom(tx, services, roomId, member, {});
    return roomId;
  });
}
