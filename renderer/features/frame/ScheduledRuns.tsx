import { useEffect } from 'react';
import { useConsole, useServer } from '../../console-context.ts';

/** Carries out what the team has scheduled while a console is open. */
export function ScheduledRuns() {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    // Loaded on its own: screens come first. If that fails, another console or the next visit does it.
    void import('../../actions/scheduled/run-scheduled.ts').then(
      ({ runScheduled }) => {
        if (!isOver) stop = runScheduled({ server, queryClient, deletedReports });
      },
      () => {},
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [server, queryClient, deletedReports]);
  return null;
}
