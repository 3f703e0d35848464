import type { Mark } from './entries.ts';

type Marks = ReadonlyMap<number, Mark>;

/**
 * The marks that are not open: the log's, and over them what this person added. They can be hundreds of thousands,
 * and one of them changes at a time: none is copied, and the log's change beneath.
 */
export function shownMarks(logged: Marks, own: Marks): Marks {
  const get = (reportId: number) => {
    const mark = own.get(reportId) ?? logged.get(reportId);
    return mark?.state === 'open' ? undefined : mark;
  };
  function* values(): Generator<Mark, undefined> {
    for (const mark of logged.values()) if (mark.state !== 'open' && !own.has(mark.reportId)) yield mark;
    for (const mark of own.values()) if (mark.state !== 'open') yield mark;
  }
  function* keys(): Generator<number, undefined> {
    for (const { reportId } of values()) yield reportId;
  }
  function* entries(): Generator<[number, Mark], undefined> {
    for (const mark of values()) yield [mark.reportId, mark];
  }
  return {
    get size() {
      let count = 0;
      for (const _ of keys()) count++;
      return count;
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
