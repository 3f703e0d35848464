import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import type { ActedOn } from '../../actions/subject.ts';

export type Begun = {
  on: ActedOn;
  /** What may have begun it: which of several the task doesn't say. */
  actions: readonly string[];
};

const ofRoom: Record<string, readonly string[]> = {
  purge_history: ['purge-history'],
  shutdown_and_purge_room: ['shut-down-room', 'purge-room'],
};
const ofUser: Record<string, readonly string[]> = {
  redact_all_events: ['redact-user'],
};

/** What of the console begins such a task for the same room or user; undefined where nothing does. */
export function startedBy({ action, resource_id: id }: ScheduledTask): Begun | undefined {
  if (!id) return undefined;
  const room = ofRoom[action];
  if (room) return { on: { rooms: [{ roomId: id }] }, actions: room };
  const user = ofUser[action];
  return user && { on: { users: [{ userId: id }] }, actions: user };
}
