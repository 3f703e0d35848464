/** Marks that go along into another team's room: each keeps the time at which it was set. */
import type { Mark } from './entries.ts';
import { marksOf, type Waiting, withTimes } from './outbox.ts';

const prefix = 'carried-';

export const isCarried = ({ id }: Waiting) => id.startsWith(prefix);

/**
 * What sets marks of one kind again, the oldest first. Each tab gives the same ones the same name, so that they arrive
 * once.
 */
export function carriedMarks(marks: readonly Mark[]): Waiting[] {
  const oldestFirst = marks.toSorted((one, other) => one.at - other.at);
  const byReport = new Map(oldestFirst.map((mark) => [mark.reportId, mark]));
  return marksOf(byReport).map((body) => {
    const { at, times } = withTimes(body, byReport);
    // Another tab may have sent it already: nothing is sent along with it.
    return {
      id: `${prefix}${body.of}-${body.state}-${body.seen}-${at}-${times.length}`,
      at,
      body,
      times,
      tried: true,
    };
  });
}
