/**
 * What a person has ticked off, per server and per plan. The server has no such state, so it lives on this
 * machine. Kept are ids of this program's own data, and nothing else.
 */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

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
  let stored = read(key);
  const listeners = new Set<() => void>();

  function change(next: Stored) {
    stored = next;
    localStorage.setItem(key, JSON.stringify(stored));
    for (const listener of listeners) listener();
  }

  // Another window of the same console ticked something.
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    stored = read(key);
    for (const listener of listeners) listener();
  });

  return {
    snapshot: (): Stored => stored,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Ticks and unticks; the plan is the one that is followed from now on. */
    mark({ from, to, way }: PlanKey, done: readonly string[], undone: readonly string[] = []) {
      const plan = { from, to, ...(way && { way }) };
      const before = doneIn(stored, plan);
      const after = new Set([...before, ...done]);
      for (const id of undone) after.delete(id);
      const others = stored.plans.filter((other) => !isSame(other, plan));
      const changed = { ...plan, done: [...after].slice(-mostTicks) };
      change({ following: true, plans: [changed, ...others].slice(0, mostPlans) });
    },
    /** The next visit begins with the server's own version again; the ticks are kept. */
    stopFollowing: () => change({ ...stored, following: false }),
  };
}

function read(key: string): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Value.Check(Stored, stored) ? stored : nothing;
  } catch {
    // Cut off or written by something else: as good as nothing.
    return nothing;
  }
}
