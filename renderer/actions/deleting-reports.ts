/** What a run that deletes reports on events has to do beside it: their list leaves them out, and the page may close. */
import { mostWithClosing } from '../api/deleted-reports.ts';
import { deleteEventReport, forgetDeleted } from '../api/event-reports.ts';
import { teamOf } from '../team/team-store.ts';
import type { Accompanied, Surroundings } from './action.ts';
import { logGone } from './log-deletion.ts';

export function accompany(
  { server, queryClient, deletedReports }: Surroundings,
  { left, sentLeaving }: Accompanied<'report'>,
): (isOver: boolean) => void {
  const idsLeft = () => left().map(({ reportId }) => reportId);
  const asked = idsLeft();
  deletedReports.bury(server.id, asked, 'waiting');

  // The tray has it when the page is opened again, and asks what arrived.
  const sendRest = () => {
    for (const id of idsLeft()) {
      deleteEventReport(server, deletedReports, id, { keepalive: true }).catch(() => {});
    }
    sentLeaving();
  };
  const askFirst = (event: BeforeUnloadEvent) => {
    if (left().length > mostWithClosing) event.preventDefault();
  };
  window.addEventListener('pagehide', sendRest);
  window.addEventListener('beforeunload', askFirst);

  return (isOver) => {
    window.removeEventListener('pagehide', sendRest);
    window.removeEventListener('beforeunload', askFirst);
    deletedReports.restore(server.id, idsLeft());
    const tombstones = deletedReports.of(server.id);
    const gone = asked.filter((id) => tombstones.get(id) === 'gone');
    const { marks, mark } = teamOf(server).snapshot();
    mark(
      gone.filter((id) => marks.has(id)),
      'open',
    );
    logGone(server, deletedReports, gone);
    // To count waits for what is on its way, and what goes on would wait for that.
    if (isOver) void forgetDeleted(queryClient, server.id, gone);
  };
}
