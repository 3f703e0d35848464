import { useEffect, useRef } from 'react';
import { eventReportQuery } from '../../api/event-reports.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { useTeam } from '../../team/use-team.ts';
import { NotFound } from '../../transport/refusal.ts';

/** So many marked reports are asked for, the last marked first, when others have deleted some. */
const mostAsked = 200;
const atOnce = 4;

/**
 * Takes the marks of reports that others deleted back: they would be counted as reviewed for ever. Nothing
 * says which were deleted, so when there are fewer reports than there were, marked ones are asked for. What
 * the server says that it doesn't have is gone; a list that lacks it, filtered or late, proves nothing.
 */
export function useGoneMarks(goneByOthers: number) {
  const { deletedReports, queryClient } = useConsole();
  const server = useServer();
  const team = useTeam();
  const latest = useRef(team);
  latest.current = team;

  useEffect(() => {
    if (goneByOthers === 0) return;
    const aborted = new AbortController();
    void look(aborted.signal);
    return () => aborted.abort();

    async function look(signal: AbortSignal) {
      const tombstones = deletedReports.of(server.id);
      const asked = [...latest.current.marks.values()]
        .filter(({ reportId }) => !tombstones.has(reportId))
        .sort((one, other) => other.at - one.at)
        .slice(0, mostAsked)
        .map(({ reportId }) => reportId);
      const gone: number[] = [];
      const work = async () => {
        for (let id = asked.shift(); id !== undefined && !signal.aborted; id = asked.shift()) {
          const query = { ...eventReportQuery(server, id), staleTime: 0, retry: false };
          await queryClient.fetchQuery(query).catch((error: unknown) => {
            if (error instanceof NotFound) gone.push(id as number);
          });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      deletedReports.findGone(server.id, gone);
      if (gone.length > 0) latest.current.mark(gone, 'open');
    }
  }, [goneByOthers, deletedReports, queryClient, server]);
}
