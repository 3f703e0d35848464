import type { Logged, Mark, ReportKind } from './entries.ts';
import { apart, isFirm, markIn } from './fold.ts';

type Marks = ReadonlyMap<number, Mark>;

/** The marks that these entries set one after the other, whatever their times are. */
export function ownMarks(added: readonly Logged[]): Record<ReportKind, Marks> {
  const marks = { report: new Map(), user_report: new Map(), room_report: new Map() } satisfies Record<
    ReportKind,
    Map<number, Mark>
  >;
  for (const logged of added) {
    if (!markIn(logged.body)) continue;
    for (const { by, at, body } of apart(logged)) {
      const set = markIn(body);
      const own: Map<number, Mark> = marks[set?.of ?? 'report'];
      for (const reportId of set?.reports ?? []) {
        const before = own.get(reportId);
        const mark: Mark = {
          reportId,
          state: set?.state ?? 'open',
          ...(set?.seen && { seen: set.seen }),
          by,
          at,
        };
        if (before?.state === 'escalated' && !isFirm(mark)) continue;
        // It follows one that ended the escalation.
        own.set(reportId, before && isFirm(before) ? { ...mark, seen: 'escalated' } : mark);
      }
    }
  }
  return marks;
}

/**
 * The marks that are not open: the log's, and over them what this person added. They can be hundreds of thousands,
 * and one of them changes at a time: none is copied, and the log's change beneath.
 */
export function shownMarks(logged: Marks, own: Marks): Marks {
  const ownOf = (reportId: number) => {
    const mark = own.get(reportId);
    return mark && (isFirm(mark) || logged.get(reportId)?.state !== 'escalated') ? mark : undefined;
  };
  const get = (reportId: number) => {
    const mark = ownOf(reportId) ?? logged.get(reportId);
    return mark?.state === 'open' ? undefined : mark;
  };
  function* values(): Generator<Mark, undefined> {
    for (const mark of logged.values()) if (mark.state !== 'open' && !ownOf(mark.reportId)) yield mark;
    for (const mark of own.values()) if (mark.state !== 'open' && ownOf(mark.reportId)) yield mark;
  }
  function* keys(): Generator<number, undefined> {
    for (const { reportId } of values()) yield reportId;
  }
  function* entries(): Generator<[number, Mark], undefined> {
    for (const mark of values()) yield [mark.reportId, mark];
  }
  let size: number | undefined;
  return {
    get size() {
      if (size === undefined) {
        size = 0;
        for (const _ of keys()) size++;
      }
      return size;
    },
    get,
    has: (reportId) => get(reportId) !== undefined,
    entries,
    keys,
    values,
    forEach(callback) {
      for (const mark of values()) callback(mark, mark.reportId, this);
    },
    [Symbol.iterator]: entries,
  };
}
