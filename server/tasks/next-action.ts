/** Whose turn it is among the kinds of tasks that wait. */
import type { TaskAction } from './task.ts';

/** How many tasks that users set off may run at once, in this process: an administrator always finds a place soon. */
const maximumOfUsers = 3;

export type Turns = {
  /** The action of each task that runs, in this process. */
  running: readonly string[];
  /** When each action had a task started last, in starts: who has waited longest is next among equals. */
  lastStarts: ReadonlyMap<string, number>;
  actions: ReadonlyMap<string, TaskAction>;
};

/**
 * The action of which a task is started next; undefined where none may be. Administrators' come before users'; then
 * what least of is running; then what has waited longest.
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
