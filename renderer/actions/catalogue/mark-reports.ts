/** The last step of what is done in several: until then the reports that it is done because of are open. */
import { IconCircleCheck } from '@tabler/icons-react';
import { unredactedReported } from '../../api/unredacted.ts';
import { action } from '../action.ts';

export const markReports = action<'user'>({
  id: 'mark-reports',
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
