/** Whose turn a job is: what was stopped and still waits for its last replies begins nothing more. */
import type { Job } from './job.ts';

export type Turn = {
  /** Only these of what waits, by their transactions. */
  only: ReadonlySet<string> | undefined;
  /** The transactions whose replies are still to come. */
  onTheirWay: Set<string>;
  /** Whether something of what waits is being done. */
  isAtWork: boolean;
  /** What went on beside it ends, at the latest when somebody else's turn begins. */
  leave?: ((isOver: boolean) => void) | undefined;
};

const turns = new WeakMap<Job, Turn>();

export function beginTurn(job: Job, only: Turn['only']): Turn {
  const before = turns.get(job);
  const turn = { only, onTheirWay: new Set<string>(), isAtWork: true };
  turns.set(job, turn);
  endTurn(before, false);
  return turn;
}

/** @param isOver whether nobody goes on with it */
export function endTurn(turn: Turn | undefined, isOver: boolean) {
  if (!turn) return;
  const { leave } = turn;
  turn.isAtWork = false;
  turn.leave = undefined;
  leave?.(isOver);
}

export const turnOf = (job: Job): Turn | undefined => turns.get(job);
