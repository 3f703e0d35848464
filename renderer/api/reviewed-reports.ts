/**
 * Which reports this person has marked as reviewed. The server has no such state, so it lives on this
 * machine, per server.
 */
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** Marks beyond this are forgotten, oldest first, so that the storage never runs full. */
const mostMarks = 20_000;

export type ReviewedReports = ReturnType<typeof openReviewedReports>;

const opened = new Map<string, ReviewedReports>();

export function reviewedReports(serverId: string): ReviewedReports {
  let reviewed = opened.get(serverId);
  if (!reviewed) {
    reviewed = openReviewedReports(`gatehouse.reviewed.${serverId}`);
    opened.set(serverId, reviewed);
  }
  return reviewed;
}

function openReviewedReports(key: string) {
  let marks = read(key);
  const listeners = new Set<() => void>();

  function change(next: Iterable<number>) {
    marks = new Set([...next].slice(-mostMarks));
    localStorage.setItem(key, JSON.stringify([...marks]));
    for (const listener of listeners) listener();
  }

  // Another window of the same console marked something.
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    marks = read(key);
    for (const listener of listeners) listener();
  });

  return {
    snapshot: (): ReadonlySet<number> => marks,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    mark: (reportIds: number[]) => change([...marks, ...reportIds]),
    unmark(reportIds: Iterable<number>) {
      const gone = new Set(reportIds);
      if ([...gone].some((id) => marks.has(id))) change([...marks].filter((id) => !gone.has(id)));
    },
  };
}

function read(key: string): ReadonlySet<number> {
  const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
  return new Set(Value.Check(Type.Array(Type.Integer()), stored) ? stored : []);
}
