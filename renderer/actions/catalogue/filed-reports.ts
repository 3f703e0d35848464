import { IconFlagOff } from '@tabler/icons-react';
import { deleteFiledReport } from '../../api/filed-reports.ts';
import { action } from '../action.ts';

export const deleteReport = action<'filed'>({
  id: 'delete-report',
  kind: 'filed',
  group: 'report',
  icon: IconFlagOff,
  key: 'Delete',
  usual: true,
  needs: [],
  destructive: true,
  typed: 'many',
  words: {
    hint: /*i18n*/ 'It goes from the list, and nothing else changes',
    will: /*i18n*/ '{count, plural, one {The report goes from the list. Whom or what it is about stays as it is.} other {# reports go from the list. Whom or what they are about stays as it is.}}',
    lost: /*i18n*/ 'A deleted report does not come back.',
    doing: /*i18n*/ '{count, plural, one {Deleting the report} other {Deleting # reports}}',
    done: /*i18n*/ '{count, plural, one {The report is deleted} other {# reports are deleted}}',
  },
  async run({ server }, { of, reportId }) {
    await deleteFiledReport(server, of, reportId);
    return { detail: `report ${reportId}` };
  },
});
