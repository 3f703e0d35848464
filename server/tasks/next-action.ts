import type { TaskAction } from './task.ts';

/** Running users' tasks of one process: administrators' tasks never wait long. */
const maximumOfUsers = 3;

export type Turns = {
  /** Actions of the running tasks of this process. */
  running: readonly string[];
  /** When a task of each action was last started, in starts. */
  lastStarts: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, TaskAction>;
};

/**
 * Returns the action of which a task starts next, if any may. Administrators' come before users'; then the one with the
 * fewest running tasks; then the one that has waited longest.
 */
export function nextAction(
  waiting: Iterable<string>,
  { running, lastStarts, actions }: Turns,
): string | undefined {
  const isOfUsers = (action: string) => actions.get(action)?.kind.askedBy === 'users';
  const usersMayRun = running.filter(isOfUsers).length < maximumOfUsers;
  const rank = (action: string) =>
    [
      isOfUsers(action) ? 1 : 0,
      running.filter((each) => each === action).length,
      lastStarts.get(action) ?? 0,
    ] as const;
  const [first] = [...waiting]
    .filter((action) => usersMayRun || !isOfUsers(action))
    .map((action) => ({ action, rank: rank(action) }))
    .sort(({ rank: one }, { rank: other }) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]);
  return first?.action;
}
