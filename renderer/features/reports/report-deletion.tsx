import { i18n } from '@lingui/core';
import { notifications } from '@mantine/notifications';
import { MutationObserver } from '@tanstack/react-query';
import { useCallback } from 'react';
import { offerUndo } from '../../actions/latest-undo.ts';
import { askedWhileLeaving, logDeletion, logGone } from '../../actions/log-deletion.ts';
import type { Deletion } from '../../api/deleted-reports.ts';
import { deleteEventReports } from '../../api/event-reports.ts';
import { showNotice } from '../../components/notice.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { teamOf } from '../../team/team-store.ts';
import { failureSentence } from '../../transport/failure-sentence.ts';
import classes from './report-deletion.module.css';

/** More of them go in the tray, as whatever is done to many. */
const mostAtOnce = 20;

// As nothing goes there most of the time, and there already when the undo's time is over.
const loadDeletion = async () => {
  await import('../../actions/deleting-reports.ts');
  return import('../../actions/delete-in-tray.ts');
};

/**
 * Deletes reports after a time in which it can be undone. `onRestored` gets the reports that came back,
 * because the person undid it or because the server refused.
 */
export function useReportDeletion(onRestored: (reportIds: readonly number[]) => void) {
  const { deletedReports, queryClient } = useConsole();
  const server = useServer();

  return useCallback(
    (reportIds: readonly number[]) => {
      // It goes on where the screen has been left meanwhile, so it is no hook's.
      const mutation = new MutationObserver(queryClient, deleteEventReports(server, deletedReports));

      // Where it can't be loaded they go as a few do.
      const inTray = reportIds.length > mostAtOnce ? loadDeletion().catch(() => undefined) : undefined;
      /** A page that goes away waits for nothing. */
      let loadedTray: Awaited<typeof inTray>;
      inTray?.then((tray) => {
        loadedTray = tray;
      });

      const deletion: Deletion = {
        serverId: server.id,
        reportIds,
        send: async (closing) => {
          withdraw();
          hide();
          const tray = closing ? undefined : await inTray;
          if (tray) return tray.deleteInTray({ server, queryClient, deletedReports }, reportIds);
          if (closing) {
            loadedTray?.leaveInTray({ server, queryClient, deletedReports }, reportIds);
            logDeletion(server, reportIds, askedWhileLeaving);
          }
          const { refused, reason } = await mutation.mutate(reportIds);
          const kept = new Set(refused);
          const gone = reportIds.filter((id) => !kept.has(id));
          const { marks, mark } = teamOf(server).snapshot();
          mark(
            gone.filter((id) => marks.has(id)),
            'open',
          );
          if (!closing) logGone(server, deletedReports, gone);
          if (!reason) return;
          tellRefused(refused.length, reason);
          onRestored(refused);
        },
        restored: () => {
          withdraw();
          hide();
          onRestored(reportIds);
        },
      };

      deletedReports.begin(deletion);
      const undo = () => deletedReports.undo(deletion);
      const withdraw = offerUndo(undo);
      const hide = showNotice({
        text: i18n.t('{count, plural, one {Report deleted} other {# reports deleted}}', {
          count: reportIds.length,
        }),
        undo,
        // As long as it can be undone.
        stays: true,
        className: classes.toast,
        // Closing it means "yes, I'm sure"; after an undo there is nothing left to send.
        onClose: () => deletedReports.send(deletion),
      });
    },
    [deletedReports, queryClient, server, onRestored],
  );
}

function tellRefused(count: number, reason: Error) {
  notifications.show({
    color: 'red',
    role: 'alert',
    autoClose: 15_000,
    title: i18n.t(
      '{count, plural, one {Report could not be deleted} other {# reports could not be deleted}}',
      { count },
    ),
    message: i18n.t(
      '{count, plural, one {{why} It is back in the list.} other {{why} They are back in the list.}}',
      {
        count,
        why: failureSentence(reason),
      },
    ),
  });
}
