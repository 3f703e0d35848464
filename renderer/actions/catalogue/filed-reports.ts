import { IconTrash } from '@tabler/icons-react';
import { wasGone } from '../../api/deleted-reports.ts';
import { deleteEventReport } from '../../api/event-reports.ts';
import { action } from '../action.ts';

const words = {
  will: /*i18n*/ '{count, plural, one {The report goes from the list. Whom or what it is about stays as it is.} other {# reports go from the list. Whom or what they are about stays as it is.}}',
  lost: /*i18n*/ 'A deleted report does not come back.',
  doing: /*i18n*/ '{count, plural, one {Deleting the report} other {Deleting # reports}}',
  done: /*i18n*/ '{count, plural, one {The report is deleted} other {# reports are deleted}}',
};

export const deleteReport = action<'filed'>({
  id: 'delete-report',
  kind: 'filed',
  group: 'report',
  icon: IconTrash,
  key: 'Delete',
  usual: true,
  needs: [],
  destructive: true,
  typed: 'many',
  words,
  accompany: async (...asked) => (await import('../deleting-filed.ts')).accompany(...asked),
  async run({ server }, { of, reportId }) {
    // Who deletes them has their list open, and this with it.
    const { deleteFiledReport } = await import('../../api/filed-reports.ts');
    const wasThere = await deleteFiledReport(server, of, reportId);
    return {
      detail: wasThere ? `report ${reportId}` : `report ${reportId} ${wasGone}`,
      unchanged: !wasThere,
    };
  },
});

/** Of reports on events, after the time in which it can be undone: their list leaves out what is being deleted. */
export const deleteEventReportsAction = action<'report'>({
  id: 'delete-event-report',
  kind: 'report',
  group: 'report',
  icon: IconTrash,
  needs: [],
  words,
  // Loaded when it is done: few actions need it.
  accompany: async (...asked) => (await import('../deleting-reports.ts')).accompany(...asked),
  async run({ server, deletedReports }, { reportId }) {
    return { unchanged: !(await deleteEventReport(server, deletedReports, reportId)) };
  },
});
