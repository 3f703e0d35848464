/**
 * Which reports this person has marked as reviewed. The server has no such state, so it lives on this
 * machine, per server.
 */
import { Type } from 'typebox';
import { persisted } from '../persisted.ts';

/** Marks beyond this are forgotten, oldest first, so that the storage never runs full. */
const mostMarks = 20_000;

export type ReviewedReports = ReturnType<typeof openReviewedReports>;

const opened = new Map<string, ReviewedReports>();

export function reviewedReports(serverId: string): ReviewedReports {
  let reviewed = opened.get(serverId);
  if (!reviewed) {
    reviewed = openReviewedReports(serverId);
    opened.set(serverId, reviewed);
  }
  return reviewed;
}

function openReviewedReports(serverId: string) {
  const kept = persisted(`gatehouse.reviewed.${serverId}`, Type.Array(Type.Integer()), []);
  let list = kept.read();
  let marks: ReadonlySet<number> = new Set(list);

  function snapshot(): ReadonlySet<number> {
    if (list !== kept.read()) {
      list = kept.read();
      marks = new Set(list);
    }
    return marks;
  }

  return {
    snapshot,
    subscribe: kept.subscribe,
    mark: (reportIds: readonly number[]) =>
      kept.write([...new Set([...kept.read(), ...reportIds])].slice(-mostMarks)),
    unmark(reportIds: readonly number[]) {
      const gone = new Set(reportIds);
      const left = kept.read().filter((id) => !gone.has(id));
      if (left.length < kept.read().length) kept.write(left);
    },
  };
}
