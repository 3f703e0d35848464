/** Deleting what was said in a room up to a moment. */
import { i18n } from '@lingui/core';
import { IconClockX } from '@tabler/icons-react';
import { exactTime } from '../../components/time.ts';
import { number } from '../../words/format.ts';
import { action } from '../action.ts';

/** Loaded when it is asked what goes, since that is seldom. */
const loadRequests = () => import('../../api/purge-history.ts');

const momentOf = (value: unknown): number | undefined => {
  const time = new Date(String(value)).getTime();
  return Number.isNaN(time) ? undefined : time;
};

export const history = action<'room'>({
  id: 'purge-history',
  kind: 'room',
  group: 'room',
  icon: IconClockX,
  needs: ['purgeHistory'],
  destructive: true,
  typed: true,
  words: {
    hint: /*i18n*/ 'What was said before a date goes',
    will: /*i18n*/ '{count, plural, one {What was sent in {name} before the date is deleted from this server; the room and its settings stay.} other {What was sent in these # rooms before the date is deleted from this server; the rooms and their settings stay.}}',
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
      note: /*i18n*/ 'There may be no other copy of it anywhere. Without it, only messages from other servers go.',
      initial: false,
    },
  ],
  async foresee(server, { roomId }, { fields }, signal) {
    const before = momentOf(fields.before);
    if (before === undefined) return [i18n.t('Choose a date, and here stands what goes.')];
    const { mostCounted, sentBefore } = await loadRequests();
    const { events, own, more, latest } = await sentBefore(server, roomId, before, signal);
    const going = fields.ownToo === true ? events : events - own;
    if (events === 0) return [i18n.t('Nothing was sent before that.')];
    return [
      more
        ? i18n.t('Of the last {most} events before that, {count} go, and what is older in the same way.', {
            most: number(mostCounted),
            count: number(going),
          })
        : i18n.t(
            '{count, plural, =0 {No message goes.} one {At most {shown} message goes.} other {At most {shown} messages go.}}',
            {
              count: going,
              shown: number(going),
            },
          ),
      ...(own > 0 && fields.ownToo !== true
        ? [
            i18n.t(
              '{count, plural, one {{shown} of this server stays.} other {{shown} of this server stay.}}',
              {
                count: own,
                shown: number(own),
              },
            ),
          ]
        : []),
      ...(latest === undefined ? [] : [i18n.t('The latest is of {time}.', { time: exactTime(latest) })]),
    ];
  },
  async run({ server }, { roomId }, { fields }) {
    const before = momentOf(fields.before) ?? 0;
    const ownToo = fields.ownToo === true;
    const { purgeHistory } = await loadRequests();
    return { task: await purgeHistory(server, roomId, { before, ownToo }) };
  },
  async progress(server, task) {
    const { purgeStatus } = await loadRequests();
    const { status, error } = await purgeStatus(server, task);
    if (status === 'complete') return { state: 'done', failures: {} };
    if (status === 'failed' || status === 'cancelled') return { state: 'failed', error: error || status };
    return { state: 'active' };
  },
});
