/** Purges a room's history. */
import { i18n } from '@lingui/core';
import { IconClockX } from '@tabler/icons-react';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import {
  maxCounted,
  pendingPurge,
  previewPurge,
  purgeHistory,
  purgeStatus,
} from '../../api/purge-history.ts';
import { exactTime } from '../../components/time.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import { action, type Forecast } from '../action.ts';
import type { ItemOf } from '../items.ts';

export const history = action<'room'>({
  id: 'purge-history',
  role: 'lead',
  label: /*i18n*/ '{count, plural, one {Purge history} other {Purge history of # rooms}}',
  hint: /*i18n*/ 'Deletes messages before a date',
  kind: 'room',
  group: 'room',
  icon: IconClockX,
  needs: ['purgeHistory'],
  removesEvidence: true,
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
  forecast,
  async run({ server }, { roomId }, { fields }) {
    const before = momentOf(fields.before) ?? 0;
    const ownToo = fields.ownToo === true;
    return { task: await purgeHistory(server, roomId, { before, includeLocal: ownToo }) };
  },
  async progress(server, task) {
    const { status, error } = await purgeStatus(server, task);
    if (status === 'complete') return { state: 'done', failures: {} };
    if (status === 'failed' || status === 'cancelled') return { state: 'failed', error: error || status };
    return { state: 'active', isQueued: status === 'scheduled' };
  },
});

/** Forecasts the effect of purging. */
async function forecast(
  server: Server,
  { roomId }: ItemOf<'room'>,
  { fields }: Answers,
  signal: AbortSignal,
): Promise<Forecast> {
  const begun = await pendingPurge(server, roomId, signal);
  if (begun) {
    const sentence =
      begun.status === 'active'
        ? i18n.t('The history of this room is already being purged.')
        : i18n.t('A purge of this room is scheduled for {time}. No other can start until then.', {
            time: exactTime(begun.timestamp_ms),
          });
    return { sentences: [sentence], idle: true, taskOf: roomId };
  }
  const before = momentOf(fields.before);
  if (before === undefined) return { sentences: [i18n.t('Choose a date to preview the deletion.')] };
  const { events, localEvents, stateEvents, hasMore, latest } = await previewPurge(
    server,
    roomId,
    before,
    signal,
  );
  const going = fields.ownToo === true ? events : events - localEvents;
  const hidden = events - going;
  if (events === 0) {
    return {
      sentences: [i18n.t('No messages before this date. Choose a later one.')],
      idle: true,
    };
  }
  const sentences = [
    hasMore
      ? i18n.t(
          'Deletes {count} of the last {most} events and older ones alike. The rest are hidden but kept.',
          {
            most: number(maxCounted),
            count: number(going),
          },
        )
      : whatGoes(going, hidden),
    ...(!hasMore && stateEvents > 0
      ? [
          i18n.t(
            'At most {total} events in all, including {shown} room and member changes, hidden but kept.',
            { shown: number(stateEvents), total: number(events + stateEvents) },
          ),
        ]
      : []),
    ...(latest === undefined ? [] : [i18n.t('Latest: {time}', { time: exactTime(latest) })]),
  ];
  return { sentences };
}

/** Describes the effect; state events leave the timeline too. */
function whatGoes(deleted: number, hidden: number): string {
  if (hidden === 0) {
    return i18n.t(
      'Deletes at most {deleted} {count, plural, one {message or reaction} other {messages or reactions}}.',
      { count: deleted, deleted: number(deleted) },
    );
  }
  if (deleted === 0) {
    return i18n.t(
      'Permanently hides at most {hidden} local {count, plural, one {message or reaction} other {messages or reactions}} but keeps them in the database.',
      { count: hidden, hidden: number(hidden) },
    );
  }
  return i18n.t(
    'Permanently hides at most {total} messages and reactions: deletes {deleted}, keeps {hidden} local ones in the database.',
    { total: number(deleted + hidden), deleted: number(deleted), hidden: number(hidden) },
  );
}

export const momentOf = (value: unknown): number | undefined => {
  const time = new Date(String(value)).getTime();
  return Number.isNaN(time) ? undefined : time;
};
