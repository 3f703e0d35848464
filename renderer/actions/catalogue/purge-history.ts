/** Deleting what was said in a room up to a moment. */
import { IconClockX } from '@tabler/icons-react';
import { purgeHistory, purgeStatus } from '../../api/purge-history.ts';
import { action } from '../action.ts';
import { momentOf } from './moment.ts';

export const history = action<'room'>({
  id: 'purge-history',
  kind: 'room',
  group: 'room',
  icon: IconClockX,
  needs: ['purgeHistory'],
  destructive: true,
  typed: true,
  words: {
    will: /*i18n*/ 'Removes the history of {count, plural, one {{name}} other {# rooms}} before the date from this server. Members and settings stay.',
    lost: /*i18n*/ "This can't be undone.",
    doing: /*i18n*/ 'Purging the history of {count, plural, one {{name}} other {# rooms}}',
    done: /*i18n*/ 'History of {count, plural, one {{name}} other {# rooms}} purged',
  },
  fields: [
    { kind: 'moment', name: 'before', label: /*i18n*/ 'Events before', required: true },
    {
      kind: 'flag',
      name: 'ownToo',
      label: /*i18n*/ "Include local users' messages",
      note: /*i18n*/ "No other copy may exist. If unchecked, they're hidden but kept.",
      initial: false,
    },
  ],
  // Loaded when it is asked for: few actions tell beforehand what they do.
  foresee: async (...asked) => (await import('./purge-history-foreseen.ts')).foreseen(...asked),
  async run({ server }, { roomId }, { fields }) {
    const before = momentOf(fields.before) ?? 0;
    const ownToo = fields.ownToo === true;
    return { task: await purgeHistory(server, roomId, { before, ownToo }) };
  },
  async progress(server, task) {
    const { status, error } = await purgeStatus(server, task);
    if (status === 'complete') return { state: 'done', failures: {} };
    if (status === 'failed' || status === 'cancelled') return { state: 'failed', error: error || status };
    return { state: 'active', isQueued: status === 'scheduled' };
  },
});
