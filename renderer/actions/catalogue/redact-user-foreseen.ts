/** How much is redacted of a user at most. */
import { i18n } from '@lingui/core';
import { joinedRooms } from '../../api/user-rooms.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import type { Answers, Prospect } from '../action.ts';
import type { ItemOf } from '../subject.ts';

export async function foreseen(
  server: Server,
  { userId }: ItemOf<'user'>,
  { fields }: Answers,
  signal: AbortSignal,
): Promise<Prospect> {
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
}
