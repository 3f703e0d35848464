import { i18n } from '@lingui/core';
import { IconEraser, IconMessageOff } from '@tabler/icons-react';
import { redactEvent, redactEverythingOf, redactionStatus } from '../../api/redactions.ts';
import { joinedRooms } from '../../api/user-rooms.ts';
import { number } from '../../words/format.ts';
import { action } from '../action.ts';
import { withPower } from '../power.ts';
import { publicReason } from '../public-reason.ts';

export const redactions = [
  action<'event'>({
    id: 'redact-event',
    kind: 'event',
    group: 'event',
    icon: IconMessageOff,
    key: 'r',
    usual: true,
    needs: ['redact'],
    power: 'redact',
    publicReason: true,
    destructive: true,
    applies: ({ redacted }) => redacted !== true,
    words: {
      hint: /*i18n*/ 'Takes what it says away from everyone',
      will: /*i18n*/ '{count, plural, one {Takes the content of this event away, for everyone in the room and on every server that listens.} other {Takes the content of # events away, for everyone in their rooms and on every server that listens.}}',
      lost: /*i18n*/ 'The content does not come back.',
      doing: /*i18n*/ '{count, plural, one {Redacting the event} other {Redacting # events}}',
      done: /*i18n*/ '{count, plural, one {The event is redacted} other {# events are redacted}}',
    },
    async run({ server, transaction }, item, answers) {
      const reason = publicReason(answers);
      await withPower(server, item.roomId, answers, () => redactEvent(server, item, { transaction, reason }));
      return {};
    },
  }),

  action<'user'>({
    id: 'redact-user',
    typed: 'many',
    kind: 'user',
    group: 'user',
    icon: IconEraser,
    // Nothing that is known of an event says in its key who sent it.
    changes: ['event-context', 'event-now'],
    needs: ['redactUser'],
    publicReason: true,
    destructive: true,
    harms: true,
    words: {
      hint: /*i18n*/ 'Everything they sent, in all their rooms',
      will: /*i18n*/ '{count, plural, one {Takes the content of what {name} sent away, in every room they were in: the newest events of each, as many as you say.} other {Takes the content of what # users sent away, in every room they were in: the newest events of each, as many as you say.}}',
      lost: /*i18n*/ 'The content does not come back.',
      doing:
        /*i18n*/ '{count, plural, one {Redacting all messages of {name}} other {Redacting all messages of # users}}',
      done: /*i18n*/ '{count, plural, one {The messages of {name} are redacted} other {The messages of # users are redacted}}',
    },
    fields: [
      {
        kind: 'number',
        name: 'limit',
        label: /*i18n*/ 'Newest events in each room',
        initial: 1000,
        least: 1,
        most: 1_000_000,
      },
    ],
    async foresee(server, { userId }, { fields }, signal) {
      const rooms = (await joinedRooms(server, userId, signal)).length;
      const limit = Number(fields.limit);
      return {
        said: [
          i18n.t(
            '{rooms, plural, =0 {They are in no room now.} one {They are in # room now: at most {most} events there.} other {They are in # rooms now: at most {most} events there.}}',
            { rooms, most: number(rooms * limit) },
          ),
        ],
      };
    },
    async run({ server }, { userId }, answers) {
      const limit = Number(answers.fields.limit);
      return { task: await redactEverythingOf(server, userId, { limit, reason: publicReason(answers) }) };
    },
    async progress(server, task) {
      const { status, failed_redactions: failures = {}, error } = await redactionStatus(server, task);
      if (status === 'failed' || status === 'cancelled') return { state: 'failed', error: error || status };
      return status === 'complete' ? { state: 'done', failures } : { state: 'active' };
    },
  }),
];
