import { type Answers, leaveAfterwards, takePower } from '../../shared/team/action-inputs.ts';
import { getMembership, joinRoom, leaveRoom } from '../api/memberships.ts';
import { makeRoomAdmin } from '../api/room-changes.ts';
import { isRefusal } from '../transport/refusal.ts';
import type { Work } from './action.ts';

/**
 * Runs work that needs a power level in a room. If the server refuses and the user agreed, makes them room admin, joins
 * the room and retries once.
 */
export async function withPowerLevel<Result>(
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
