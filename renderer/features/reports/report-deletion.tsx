import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import {
  deleteEventReport,
  eventReportListsKey,
  eventReportQuery,
  eventReportsKey,
  type LoadedReports,
  withoutReport,
} from '../../api/event-reports.ts';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { useConsole, useServer } from '../../console-context.ts';
import { NotFound } from '../../transport/server.ts';
import type { Deletion } from './pending-deletions.ts';
import classes from './report-deletion.module.css';
import { reviewedReports } from './reviewed-reports.ts';

/** So many deletions are on their way at once: a hundred at a time would look like an attack. */
const atOnce = 4;

/**
 * Deletes reports after a time in which it can be undone. `onRestored` gets the reports that came back,
 * because the person undid it or because the server refused.
 */
export function useReportDeletion(onRestored: (reportIds: readonly number[]) => void) {
  const { deletions, queryClient } = useConsole();
  const server = useServer();

  return useCallback(
    (reportIds: readonly number[]) => {
      const deletion: Deletion = {
        serverId: server.id,
        reportIds,
        send: async () => {
          notifications.hide(notificationId);
          const { refused, reason } = await deleteAll(reportIds);
          queryClient.invalidateQueries({ queryKey: [...eventReportsKey(server), 'total'] });
          queryClient.invalidateQueries({ queryKey: [...eventReportsKey(server), 'on-sender'] });
          if (!reason) return;
          tellRefused(refused.length, reason);
          onRestored(refused);
        },
        restored: () => {
          notifications.hide(notificationId);
          onRestored(reportIds);
        },
      };
      const notificationId = `deletion ${reportIds[0]} ${Date.now()}`;

      async function deleteAll(ids: readonly number[]) {
        const queue = [...ids];
        const refused: number[] = [];
        let reason: Error | undefined;
        const work = async () => {
          for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
            try {
              await deleteEventReport(server, id).catch(ignoreGone);
              forget(id);
            } catch (error) {
              refused.push(id);
              reason = error as Error;
            }
          }
        };
        await Promise.all(Array.from({ length: atOnce }, work));
        return { refused, reason };
      }

      function forget(id: number) {
        queryClient.setQueriesData<LoadedReports>(
          { queryKey: eventReportListsKey(server) },
          (loaded) => loaded && withoutReport(loaded, id),
        );
        queryClient.removeQueries(eventReportQuery(server, id));
        reviewedReports(server.id).unmark([id]);
      }

      deletions.begin(deletion);
      notifications.show({
        id: notificationId,
        autoClose: false,
        role: 'status',
        classNames: { root: classes.toast },
        message: (
          <div className={classes.content}>
            <span>{countOf(reportIds.length)} deleted</span>
            <Button variant="light" onClick={() => deletions.undo(deletion)}>
              Undo
            </Button>
          </div>
        ),
        // Closing it means "yes, I'm sure"; after an undo there is nothing left to send.
        onClose: () => deletions.send(deletion),
      });
    },
    [deletions, queryClient, server, onRestored],
  );
}

/** Someone else deleted it first: what was wanted is so. */
function ignoreGone(error: unknown) {
  if (!(error instanceof NotFound)) throw error;
}

function tellRefused(count: number, reason: Error) {
  notifications.show({
    color: 'red',
    role: 'alert',
    autoClose: 15_000,
    title: `${countOf(count)} could not be deleted`,
    message: `${failureSentence(reason)} ${count === 1 ? 'It is' : 'They are'} back in the list.`,
  });
}

const countOf = (count: number) => (count === 1 ? 'Report' : `${count.toLocaleString('en')} reports`);
