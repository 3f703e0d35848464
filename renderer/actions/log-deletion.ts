import { type DeletedReports, wasGone } from '../api/deleted-reports.ts';
import { mostReportsAtOnce } from '../team/entries.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';

/**
 * Deleted reports on events in the team's log: one entry for as many as an entry names. The first of them stands for
 * the others.
 *
 * @param detail what else there is to say of it, in the log's words, which are the same for everyone
 */
export function logDeletion(server: Server, reportIds: readonly number[], detail?: string): void {
  for (let start = 0; start < reportIds.length; start += mostReportsAtOnce) {
    const reports = reportIds.slice(start, start + mostReportsAtOnce);
    teamOf(server)
      .snapshot()
      .record({
        action: 'delete-report',
        subject: { kind: 'report', id: reports[0] as number },
        reports,
        outcome: 'done',
        count: reports.length,
        ...(detail !== undefined && { detail }),
      });
  }
}

/** The same of reports that are gone now; what somebody else had deleted before is told apart. */
export function logGone(server: Server, deleted: DeletedReports, reportIds: readonly number[]): void {
  const before = deleted.goneBefore(server.id);
  logDeletion(
    server,
    reportIds.filter((id) => !before.has(id)),
  );
  logDeletion(
    server,
    reportIds.filter((id) => before.has(id)),
    wasGone,
  );
}

/** Of a deletion whose answer nobody waits for. */
export const askedWhileLeaving = 'asked for as the page went away';
