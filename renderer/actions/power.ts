import { joinRoom } from '../api/memberships.ts';
import { makeRoomAdministrator } from '../api/room-changes.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';
import type { Answers } from './action.ts';

/** The field with which a person agrees to become the room's administrator; the panel asks where it matters. */
export const takePower = 'takePower';

/**
 * Does what takes power in a room. Where the server refuses it and the person agreed, they are made the room's
 * administrator first, which means to be in it; then it is tried once more.
 */
export async function withPower<Result>(
  server: Server,
  roomId: string,
  { fields }: Answers,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!fields[takePower] || !isRefusal(error)) throw error;
    await makeRoomAdministrator(server, roomId);
    await joinRoom(server, roomId);
    return act();
  }
}
