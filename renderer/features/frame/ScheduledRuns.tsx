import { useEffect } from 'react';
import { useConsole, useServer } from '../../console-context.ts';

/** Carries out the team's scheduled actions, and removes expired evidence, while a console is open. */
export function ScheduledRuns() {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  useEffect(() => {
    const stops: (() => void)[] = [];
    let isOver = false;
    // In a separate script, so that screens load first. If that fails, another console or the next visit does it.
    void import('../../actions/scheduled/run-scheduled.ts').then(
      ({ runScheduled }) => {
        if (!isOver) stops.push(runScheduled({ server, queryClient, deletedReports }));
      },
      () => {},
    );
    void import('../../actions/evidence/run-retention.ts').then(
      ({ runRetention }) => {
        if (!isOver) stops.push(runRetention(server));
      },
      () => {},
    );
    return () => {
      isOver = true;
      for (const stop of stops) stop();
    };
  }, [server, queryClient, deletedReports]);
  return null;
}
