import { createRoom } from '../rooms/create-room.ts';
import { joinRoom } from '../rooms/membership.ts';
import type { Services } from '../services.ts';
import { findRoomByAlias } from '../storage/room-aliases.ts';
import type { SampleRoom } from './rooms.ts';

/** Makes a public room with everybody in it; one whose alias exists is used again. */
export async function makeRoom(services: Services, room: SampleRoom, members: string[]): Promise<string> {
  const { db, config } = services;
  const [creator = '', ...others] = members;
  return db.transaction().execute(async (transaction) => {
    const known = room.alias && (await findRoomByAlias(transaction, `#${room.alias}:${config.serverName}`));
    const roomId =
      known ||
      (await createRoom(transaction, services, creator, {
        preset: 'public_chat',
        ...(room.name && { name: room.name }),
        ...(room.topic && { topic: room.topic }),
        ...(room.alias && { room_alias_name: room.alias }),
      }));
    for (const member of others) await joinRoom(transaction, services, roomId, member, {});
    return roomId;
  });
}
