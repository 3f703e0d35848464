import { moderatorsOf } from '../../shared/team/room-trust.ts';
import { useServer } from '../console-context.ts';
import { useTeam } from './use-team.ts';

/** Returns the user IDs of the team room's other members and of those invited to it. */
export function useColleagues(): string[] {
  const { connection } = useServer();
  const { room } = useTeam().sync;
  if (room.is !== 'open') return [];
  return moderatorsOf(room.room).filter((userId) => userId !== connection.userId);
}
