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
        '{rooms, plural, =0 {No rooms} one {# room, at most {most} events} other {# rooms, at most {most} events}}',
        { rooms, most: number(rooms * limit) },
      ),
    ],
  };
}
