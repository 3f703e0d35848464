/** What purging a room's history will take, as far as the server tells. */
import { i18n } from '@lingui/core';
import { unfinishedPurge } from '../../api/purge-history.ts';
import { mostCounted, sentBefore } from '../../api/sent-before.ts';
import { exactTime } from '../../components/time.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import type { Answers, Prospect } from '../action.ts';
import type { ItemOf } from '../subject.ts';
import { momentOf } from './moment.ts';

export async function foreseen(
  server: Server,
  { roomId }: ItemOf<'room'>,
  { fields }: Answers,
  signal: AbortSignal,
): Promise<Prospect> {
  const begun = await unfinishedPurge(server, roomId, signal);
  if (begun) {
    const said =
      begun.status === 'active'
        ? i18n.t('The server is purging the history of this room already.')
        : i18n.t(
            'A purge of the history of this room is planned for {time}. Until it is done, there is no other.',
            { time: exactTime(begun.timestamp_ms) },
          );
    return { said: [said], idle: true, taskOf: roomId };
  }
  const before = momentOf(fields.before);
  if (before === undefined) return { said: [i18n.t('Choose a date, and here stands what goes.')] };
  const { events, own, ofRoom, more, latest } = await sentBefore(server, roomId, before, signal);
  const going = fields.ownToo === true ? events : events - own;
  const hidden = events - going;
  if (events === 0) {
    return {
      said: [i18n.t('No message was sent in this room before that: choose a later date.')],
      idle: true,
    };
  }
  const said = [
    more
      ? i18n.t(
          'Of the last {most} events before that, {count} are deleted, and what is older in the same way. The others are kept but no longer shown.',
          {
            most: number(mostCounted),
            count: number(going),
          },
        )
      : whatGoes(going, hidden),
    ...(!more && ofRoom > 0
      ? [
          i18n.t(
            'With changes of the room and its members ({shown}), kept but no longer shown, at most {total} events are purged.',
            { shown: number(ofRoom), total: number(events + ofRoom) },
          ),
        ]
      : []),
    ...(latest === undefined ? [] : [i18n.t('The latest is of {time}.', { time: exactTime(latest) })]),
  ];
  return { said };
}

/** One sentence on all of it: what is kept is gone for whoever reads, too. */
function whatGoes(deleted: number, hidden: number): string {
  if (hidden === 0) {
    return i18n.t(
      '{count, plural, one {At most {deleted} message or reaction is deleted.} other {At most {deleted} messages and reactions are deleted.}}',
      { count: deleted, deleted: number(deleted) },
    );
  }
  if (deleted === 0) {
    return i18n.t(
      '{count, plural, one {At most {hidden} message or reaction goes from everybody’s sight for good. A user of this server sent it, so it is kept in the database.} other {At most {hidden} messages and reactions go from everybody’s sight for good. Users of this server sent them, so they are kept in the database.}}',
      { count: hidden, hidden: number(hidden) },
    );
  }
  return i18n.t(
    'At most {total} messages and reactions go from everybody’s sight for good: {deleted} are deleted, and {hidden} that users of this server sent are kept in the database.',
    { total: number(deleted + hidden), deleted: number(deleted), hidden: number(hidden) },
  );
}
