/** Whether somebody can be put out of a room at all: nobody is by their equals. Matrix specification, "Power levels". */
import { i18n } from '@lingui/core';
import { roomNow, roomStateNow } from '../../api/room.ts';
import { type Holder, powersOf } from '../../components/event/power-levels.ts';
import type { Server } from '../../transport/server.ts';
import type { Prospect } from '../action.ts';
import { isLocal } from '../local-users.ts';
import { inSentence } from '../name-in-sentence.ts';
import type { ItemOf } from '../subject.ts';

/** A state longer than this, memberships included, is not asked for. */
const cheap = 1_000;

export async function foreseen(
  server: Server,
  { userId, roomId }: ItemOf<'member'>,
  _: unknown,
  signal: AbortSignal,
): Promise<Prospect> {
  // Where it is not known, one has to try.
  const outOfReach = await isOutOfReach(server, userId, roomId, signal).catch(() => false);
  if (!outOfReach) return { said: [] };
  return {
    said: [
      i18n.t("You can't outrank {name} in this room. Suspend the account or shut down the room instead.", {
        name: inSentence(userId),
      }),
    ],
    idle: true,
  };
}

async function isOutOfReach(server: Server, userId: string, roomId: string, signal: AbortSignal) {
  const { state_events: length } = await roomNow(server, roomId, signal);
  if (typeof length !== 'number' || length > cheap) return false;
  const { holders, usual } = powersOf(await roomStateNow(server, roomId, signal));
  const levelOf = ({ level }: Holder) => (level === 'creator' ? Number.POSITIVE_INFINITY : level);
  // The server makes whoever asks as powerful as the most powerful of its own is.
  const others = holders.filter((holder) => holder.userId !== userId && isLocal(server, holder.userId));
  const theirs = holders.find((holder) => holder.userId === userId);
  return theirs !== undefined && levelOf(theirs) >= Math.max(usual, ...others.map(levelOf));
}
