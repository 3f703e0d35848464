import { getMembership, joinRoom, leaveRoom } from '../api/memberships.ts';
import { makeRoomAdmin } from '../api/room-changes.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { Answers, Work } from './action.ts';

/** Name of the field that agrees to becoming room admin. */
export const takePower = 'takePower';
/** Name of the field that leaves the room after the run. */
export const leaveAfterwards = 'leaveAfterwards';

/**
 * Does what needs power in a room. If the server refuses and the user agreed, makes them room admin, joins the room and
 * retries once.
 */
export async function withPower<Result>(
  { server, afterRun }: Pick<Work, 'server' | 'afterRun'>,
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
      afterRun(`leave ${roomId}`, () => leaveRoom(server, roomId));
    return { result: await act(), tookPower: true };
  }
}
