import { IconCircleCheck, IconTrash } from '@tabler/icons-react';
import { deleteEventReport, dropDeleted } from '../../api/reports/event-reports.ts';
import { deleteFiledReport } from '../../api/reports/filed-reports.ts';
import { unredactedReported } from '../../api/unredacted.ts';
import { type ActionContext, type ActiveRun, action } from '../action.ts';

// The last step: resolves the reports that led to the action.

export const markReports = action<'user'>({
  id: 'mark-reports',
  role: 'triage',
  label: /*i18n*/ 'Resolve reports',
  hint: /*i18n*/ 'Resolves open reports against the user',
  kind: 'user',
  group: 'report',
  icon: IconCircleCheck,
  onlyMarks: true,
  needs: [],
  words: {
    will: /*i18n*/ 'Resolves open reports against {name}.',
    doing: /*i18n*/ 'Resolving reports against {name}',
    done: /*i18n*/ 'Reports against {name} resolved',
  },
  async run({ server }, { userId, reports = [], reportKind, further = [] }, { fields }) {
    if (fields['redact-user'] !== true) return {};
    const onEvents = further.flatMap(({ of, reports }) => (of === 'report' ? reports : []));
    const all = [...(reportKind === undefined ? reports : []), ...onEvents];
    return { unredacted: await unredactedReported(server, userId, all) };
  },
  undo: async () => {},
});

export const deleteReport = action<'filed'>({
  id: 'delete-report',
  role: 'moderator',
  label: /*i18n*/ '{count, plural, one {Delete report} other {Delete # reports}}',
  hint: /*i18n*/ 'Deletes the report only, for all moderators',
  kind: 'filed',
  group: 'report',
  icon: IconTrash,
  needs: [],
  destructive: true,
  typed: 'over 20',
  words: {
    will: /*i18n*/ 'Deletes {count, plural, one {the report} other {# reports}} for all moderators. The team room keeps reporters, reasons and notes.',
    lost: /*i18n*/ "This can't be undone.",
    doing: /*i18n*/ '{count, plural, one {Deleting report} other {Deleting # reports}}',
    done: /*i18n*/ '{count, plural, one {Report deleted} other {# reports deleted}}',
  },
  onRun,
  async run({ server, deletedReports }, { of, reportId }) {
    if (of === 'event') return { unchanged: !(await deleteEventReport(server, deletedReports, reportId)) };
    return { unchanged: !(await deleteFiledReport(server, of, reportId)) };
  },
});

/** Hides reports on events from their list while a run deletes them, and then drops them from the cache. */
async function onRun(
  { server, queryClient, deletedReports }: ActionContext,
  { unfinished }: ActiveRun<'filed'>,
): Promise<(isOver: boolean) => void> {
  const unfinishedIds = () => unfinished().flatMap(({ of, reportId }) => (of === 'event' ? reportId : []));
  const ids = unfinishedIds();
  deletedReports.bury(server.id, ids, 'waiting');
  return (isOver) => {
    deletedReports.restore(server.id, unfinishedIds());
    const deleted = new Set(deletedReports.fromTurn(server.id, 0));
    const gone = ids.filter((id) => deleted.has(id));
    deletedReports.bury(server.id, gone, 'gone');
    // Counting waits for requests in flight, so a continuing run would deadlock.
    if (isOver) void dropDeleted(queryClient, server.id, gone);
  };
}
