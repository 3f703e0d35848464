import { useServer } from '../console-context.ts';
import { useTeam } from './use-team.ts';

/** Returns the user IDs of the team room's other members and of those invited to it. */
export function useColleagues(): string[] {
  const { connection } = useServer();
  const { room } = useTeam().sync;
  if (room.is !== 'open') return [];
  return [...room.room.memberships].flatMap(([userId, membership]) =>
    (membership === 'join' || membership === 'invite') &&
    userId !== connection.userId &&
    room.room.administrators.has(userId)
      ? userId
      : [],
  );
}
