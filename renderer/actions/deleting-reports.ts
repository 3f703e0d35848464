/** Hides reports on events from their list while a run deletes them, and drops them from the cache at its end. */
import { forgetDeleted } from '../api/event-reports.ts';
import type { Accompanied, Surroundings } from './action.ts';

export function accompany(
  { server, queryClient, deletedReports }: Surroundings,
  { left }: Accompanied<'filed'>,
): (isOver: boolean) => void {
  const idsLeft = () => left().flatMap(({ of, reportId }) => (of === 'event' ? reportId : []));
  const asked = idsLeft();
  deletedReports.bury(server.id, asked, 'waiting');
  return (isOver) => {
    deletedReports.restore(server.id, idsLeft());
    const deleted = new Set(deletedReports.fromTurn(server.id, 0));
    const gone = asked.filter((id) => deleted.has(id));
    deletedReports.bury(server.id, gone, 'gone');
    // Counting waits for requests in flight, and a run that goes on would wait for the count.
    if (isOver) void forgetDeleted(queryClient, server.id, gone);
  };
}
