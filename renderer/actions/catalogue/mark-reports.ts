/** The last step of what is done in several: until then the reports that it is done because of are open. */
import { IconCircleCheck } from '@tabler/icons-react';
import { action } from '../action.ts';

export const markReports = action<'user'>({
  id: 'mark-reports',
  kind: 'user',
  group: 'report',
  icon: IconCircleCheck,
  onlyMarks: true,
  needs: [],
  words: {
    will: /*i18n*/ 'The open reports against {name} are marked reviewed.',
    doing: /*i18n*/ 'Marking the reports against {name} reviewed',
    done: /*i18n*/ 'The reports against {name} are marked reviewed',
  },
  run: async () => ({}),
  undo: async () => {},
});
