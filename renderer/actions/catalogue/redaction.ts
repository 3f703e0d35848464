import { i18n } from '@lingui/core';
import { IconEraser, IconMessageOff } from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { type Answers, publicReason } from '../../../shared/team/action-inputs.ts';
import { getMemberships } from '../../api/memberships.ts';
import { editsOf, redactAllOfUser, redactEvent, redactionStatus } from '../../api/redactions.ts';
import { requireVersion } from '../../api/server.ts';
import { isUnredacted, unredactedOf } from '../../api/unredacted.ts';
import { joinedRooms } from '../../api/user.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import { action, type Forecast } from '../action.ts';
import type { ItemOf } from '../items.ts';
import { pause } from '../jobs/job.ts';
import { withPowerLevel } from '../power.ts';
import { momentOf } from './purge-history.ts';

/** A worker of the server may reply before it has received the redaction. */
const looks = [0, 500, 1_500];

/** @throws ConnectionFailure if the event is still readable */
async function untilRedacted(server: Server, { roomId, eventId }: ItemOf<'event'>): Promise<void> {
  for (const wait of looks) {
    await pause(wait);
    if (!(await isUnredacted(server, roomId, eventId))) return;
  }
  throw new ConnectionFailure(
    'refused',
    /*i18n*/ 'The server accepted the redaction, but the event is still readable.',
  );
}

export const redactions = [
  action<'event'>({
    id: 'redact-event',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Redact event} other {Redact # events}}',
    hint: /*i18n*/ 'Removes the message content for everyone',
    kind: 'event',
    group: 'event',
    icon: IconMessageOff,
    key: 'r',
    usual: true,
    needs: ['redact'],
    power: 'redact',
    publicReason: true,
    removesEvidence: true,
    destructive: true,
    resolvesReports: true,
    applies: ({ redacted }) => redacted !== true,
    words: {
      will: /*i18n*/ 'Removes the content of {count, plural, one {this event} other {# events}} and edits, on every server that complies.',
      lost: /*i18n*/ "Redacted content can't be restored.",
      doing: /*i18n*/ '{count, plural, one {Redacting the event} other {Redacting # events}}',
      done: /*i18n*/ '{count, plural, one {Event redacted} other {# events redacted}}',
    },
    async run(work, item, answers) {
      const { server, transaction } = work;
      const reason = publicReason(answers);
      const { result: edits } = await withPowerLevel(work, item.roomId, answers, async () => {
        // Before: redacted events no longer list their edits.
        const edits = await editsOf(server, item);
        for (const eventId of edits) {
          const named = `${transaction}${encodeURIComponent(eventId)}`;
          await redactEvent(server, { roomId: item.roomId, eventId }, { transaction: named, reason });
        }
        await redactEvent(server, item, { transaction, reason });
        return edits.length;
      });
      await untilRedacted(server, item);
      return edits === 0 ? {} : { detail: edits === 1 ? 'with one edit' : `with ${edits} edits` };
    },
  }),

  action<'user'>({
    id: 'redact-user',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Redact all messages} other {Redact messages of # users}}',
    hint: /*i18n*/ 'Removes message content in all rooms',
    typed: 'many',
    kind: 'user',
    group: 'user',
    icon: IconEraser,
    // Query keys of events don't contain the sender.
    changes: ['event-context', 'event-now'],
    needs: ['redactUser'],
    publicReason: true,
    removesEvidence: true,
    destructive: true,
    harms: true,
    resolvesReports: true,
    words: {
      will: /*i18n*/ 'Removes the content of the newest messages of {count, plural, one {{name}} other {# users}} in each room. Some servers keep stickers, polls and reactions.',
      lost: /*i18n*/ "Redacted content can't be restored.",
      doing: /*i18n*/ 'Redacting messages of {count, plural, one {{name}} other {# users}}',
      done: /*i18n*/ 'Messages of {count, plural, one {{name}} other {# users}} redacted',
    },
    fields: [
      {
        kind: 'number',
        name: 'limit',
        label: /*i18n*/ 'Newest events per room',
        initial: 1000,
        least: 1,
        most: 1_000_000,
      },
      {
        kind: 'moment',
        name: 'after',
        label: /*i18n*/ 'Sent after',
        note: /*i18n*/ 'Periods need Synapse 1.157 or later.',
        required: false,
      },
      { kind: 'moment', name: 'before', label: /*i18n*/ 'Sent before', required: false },
    ],
    forecast,
    async run({ server }, { userId }, answers) {
      const limit = Number(answers.fields.limit);
      const period = periodOf(answers);
      // Earlier servers would ignore the period and redact everything.
      if (period.after !== undefined || period.before !== undefined) await requireVersion(server, 157);
      // An empty list would leave out rooms that the user has left.
      const rooms = Object.keys((await getMemberships(server, userId)) ?? {});
      return {
        task: await redactAllOfUser(server, userId, {
          rooms,
          limit,
          reason: publicReason(answers),
          ...period,
        }),
      };
    },
    async progress(server, task) {
      const { status, failed_redactions: failures = {}, error } = await redactionStatus(server, task);
      if (status === 'failed' || status === 'cancelled') return { state: 'failed', error: error || status };
      if (status !== 'complete') return { state: 'active', isQueued: status === 'scheduled' };
      return { state: 'done', failures };
    },
    async check(server, { userId, reports = [], reportKind, further = [] }, answers, failures) {
      const onEvents = further.flatMap(({ of, reports }) => (of === 'report' ? reports : []));
      const all = [...(reportKind === undefined ? reports : []), ...onEvents];
      const limit = Number(answers.fields.limit);
      return unredactedOf(server, userId, { limit, failures, reports: all, ...periodOf(answers) });
    },
  }),
];

/** The period in which the events were sent, in milliseconds since the Unix epoch. */
const periodOf = ({ fields }: Answers) => ({
  after: momentOf(fields.after),
  before: momentOf(fields.before),
});

/** Describes the maximum number of redactions per room. */
async function forecast(
  server: Server,
  { userId }: ItemOf<'user'>,
  { fields }: Answers,
  signal: AbortSignal,
): Promise<Forecast> {
  const rooms = (await joinedRooms(server, userId, signal)).length;
  const limit = Number(fields.limit);
  return {
    sentences: [
      i18n.t(
        '{rooms, plural, =0 {No rooms} one {# room, at most {most} events} other {# rooms, at most {most} events}}',
        { rooms, most: number(rooms * limit) },
      ),
    ],
  };
}
