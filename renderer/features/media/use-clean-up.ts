import { useState } from 'react';
import { actionById } from '../../actions/catalogue/catalogue.ts';
import { startJob } from '../../actions/jobs/run-job.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { serverName } from '../../transport/server-name.ts';

/** Cleaning up takes long: it goes on in the tray, whichever screen one goes to meanwhile. */
export function useCleanUp(id: 'delete-unused-media' | 'purge-media-copies') {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const [isBegun, setBegun] = useState(false);
  return {
    isBegun,
    begin(fields: Record<string, number | boolean>) {
      const action = actionById(id);
      if (!action) return;
      const { connection } = server;
      const items = [{ kind: 'server', name: serverName(connection), actor: connection.userId }] as const;
      startJob({ server, queryClient, deletedReports }, { action, items, answers: { reason: '', fields } });
      setBegun(true);
    },
  };
}
