import { IconTrash } from '@tabler/icons-react';
import { deleteEventReport } from '../../api/event-reports.ts';
import { action } from '../action.ts';

export const deleteReport = action<'filed'>({
  id: 'delete-report',
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
  // Loaded on use: few sessions need it.
  accompany: async (...asked) => (await import('../deleting-reports.ts')).accompany(...asked),
  async run({ server, deletedReports }, { of, reportId }) {
    if (of === 'event') return { unchanged: !(await deleteEventReport(server, deletedReports, reportId)) };
    const { deleteFiledReport } = await import('../../api/filed-reports.ts');
    return { unchanged: !(await deleteFiledReport(server, of, reportId)) };
  },
});
