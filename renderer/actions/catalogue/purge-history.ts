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
    will: /*i18n*/ '{count, plural, one {Nobody of this server can read any more what was sent in {name} before the date; the room and its settings stay.} other {Nobody of this server can read any more what was sent in these # rooms before the date; the rooms and their settings stay.}}',
    lost: /*i18n*/ 'Nothing of it comes back.',
    doing:
      /*i18n*/ '{count, plural, one {Purging the history of {name}} other {Purging the history of # rooms}}',
    done: /*i18n*/ '{count, plural, one {The history of {name} is purged} other {The history of # rooms is purged}}',
  },
  fields: [
    { kind: 'moment', name: 'before', label: /*i18n*/ 'Everything before', required: true },
    {
      kind: 'flag',
      name: 'ownToo',
      label: /*i18n*/ 'Also what users of this server sent',
      note: /*i18n*/ 'There may be no other copy of it anywhere. Without it, that is kept but no longer shown.',
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
