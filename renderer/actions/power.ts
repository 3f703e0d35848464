import { getMembership, joinRoom, leaveRoom } from '../api/memberships.ts';
import { makeRoomAdmin } from '../api/room-changes.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { Answers, Work } from './action.ts';

/** The field with which a person agrees to become the room's administrator; the panel asks where it matters. */
export const takePower = 'takePower';
/** The field with which they leave the room when all is done in it. */
export const leaveAfterwards = 'leaveAfterwards';

/**
 * Does what needs power in a room. Where the server refuses it and the person agreed, makes them room admin, has them
 * join, and tries once more.
 *
 * @returns the result, and whether power was taken
 */
export async function withPower<Result>(
  { server, atEnd }: Pick<Work, 'server' | 'atEnd'>,
  roomId: string,
  { fields }: Pick<Answers, 'fields'>,
  act: () => Promise<Result>,
): Promise<{ result: Result; tookPower: boolean }> {
  try {
    return { result: await act(), tookPower: false };
  } catch (error) {
    if (!fields[takePower] || !isRefusal(error)) throw error;
    const before = await getMembership(server, { roomId, userId: server.connection.userId });
    await makeRoomAdmin(server, roomId);
    await joinRoom(server, roomId);
    if (fields[leaveAfterwards] && before?.membership !== 'join')
      atEnd(`leave ${roomId}`, () => leaveRoom(server, roomId));
    return { result: await act(), tookPower: true };
  }
}
