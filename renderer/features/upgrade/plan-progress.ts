/**
 * What a person has ticked off, per server and per plan. The server has no such state, so it lives on this
 * machine. Kept are ids of this program's own data, and nothing else.
 */
import { type Static, Type } from 'typebox';
import { persisted } from '../../persisted.ts';

/** Which plan: two versions, and whether it makes stops. */
export type PlanKey = { from: string; to: string; way?: 'direct' };

const StoredPlan = Type.Object({
  from: Type.String(),
  to: Type.String(),
  way: Type.Optional(Type.Literal('direct')),
  done: Type.Array(Type.String()),
});
const Stored = Type.Object({
  /** Whether the first plan is the one that is being followed. */
  following: Type.Boolean(),
  /** The one that was changed last comes first. */
  plans: Type.Array(StoredPlan),
});
type Stored = Static<typeof Stored>;

/** What goes beyond is forgotten, oldest first, so that the storage never runs full. */
const mostPlans = 12;
const mostTicks = 1000;

const nothing: Stored = { following: false, plans: [] };

export type PlanProgress = ReturnType<typeof openPlanProgress>;

const opened = new Map<string, PlanProgress>();

export function planProgress(serverId: string): PlanProgress {
  let progress = opened.get(serverId);
  if (!progress) {
    progress = openPlanProgress(`gatehouse.upgrade.${serverId}`);
    opened.set(serverId, progress);
  }
  return progress;
}

/** The plan that is being followed, or undefined where none is. */
export const followedPlan = ({ following, plans }: Stored): PlanKey | undefined =>
  following ? plans[0] : undefined;

export const doneIn = ({ plans }: Stored, plan: PlanKey): readonly string[] =>
  plans.find((other) => isSame(other, plan))?.done ?? [];

const isSame = (a: PlanKey, b: PlanKey) => a.from === b.from && a.to === b.to && a.way === b.way;

function openPlanProgress(key: string) {
  const kept = persisted(key, Stored, nothing);

  return {
    snapshot: kept.read,
    subscribe: kept.subscribe,
    /** Ticks and unticks; the plan is the one that is followed from now on. */
    mark({ from, to, way }: PlanKey, done: readonly string[], undone: readonly string[] = []) {
      const plan = { from, to, ...(way && { way }) };
      const before = doneIn(kept.read(), plan);
      const after = new Set([...before, ...done]);
      for (const id of undone) after.delete(id);
      const others = kept.read().plans.filter((other) => !isSame(other, plan));
      const changed = { ...plan, done: [...after].slice(-mostTicks) };
      kept.write({ following: true, plans: [changed, ...others].slice(0, mostPlans) });
    },
    /** The next visit begins with the server's own version again; the ticks are kept. */
    stopFollowing: () => kept.write({ ...kept.read(), following: false }),
  };
}
