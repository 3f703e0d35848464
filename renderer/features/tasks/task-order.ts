import type { ScheduledTask } from '../../../shared/api/tasks.ts';

/**
 * The order in which tasks matter to who watches them: what runs, then what is over with the latest first,
 * then what is to come with the next first.
 */
export function byRelevance(one: ScheduledTask, other: ScheduledTask): number {
  const group = rank(one) - rank(other);
  if (group !== 0) return group;
  const later = other.timestamp_ms - one.timestamp_ms;
  return one.status === 'scheduled' ? -later : later;
}

function rank({ status }: ScheduledTask): number {
  if (status === 'active') return 0;
  return status === 'scheduled' ? 2 : 1;
}
