/** What a client of sliding sync is shown: some rooms, each as far as it has not been shown yet. */
import type { SlidingRoom } from '../../shared/api/sliding-sync.ts';
import type { Places } from '../database/changes.ts';
import { listActiveRooms } from './membership-changes-store.ts';
import { makeLists, type ShownList, type WantedRoom } from './sliding-lists.ts';
import { readOwnRooms } from './sliding-own-rooms.ts';
import type { SentRooms } from './sliding-position-store.ts';
import { type SlidingQuestion, showRooms } from './sliding-rooms.ts';
import { sentAfter, updateOf } from './sliding-updates.ts';
import type { SyncContext } from './sync-question.ts';

export type SlidingAnswer = {
  lists: Record<string, ShownList>;
  rooms: Record<string, SlidingRoom>;
  /** All rooms that are to be shown, new or not. */
  wanted: ReadonlyMap<string, WantedRoom>;
  /** What the client has then. */
  sent: SentRooms;
  /** Whether that is something else than it has now. */
  hasMoved: boolean;
  ownTransactions: string[];
};

export async function readSlidingSync(
  context: SyncContext,
  question: SlidingQuestion,
  upTo: Places,
): Promise<SlidingAnswer> {
  const { db } = context;
  const { requester, body, since, sent } = question;
  const { userId } = requester;
  const own = await readOwnRooms(context, userId, { after: since?.events, upTo: upTo.events });
  const { lists, wanted, directRooms } = await makeLists(db, userId, body, own, upTo);
  const active = new Set(
    since ? await listActiveRooms(db, userId, { after: since.events, upTo: upTo.events }) : [],
  );
  for (const { roomId, membership, ownPlace, hasChanged } of own.values()) {
    if (since && ((hasChanged && membership === 'join') || ownPlace > since.events)) active.add(roomId);
  }

  const updates = [...wanted.values()].flatMap((each) => {
    const update = updateOf(each, sent, since, active, upTo);
    return update ? [update] : [];
  });
  const shown = await showRooms(context, question, updates, upTo, directRooms);
  const after = sentAfter(sent, updates, active, since);
  return { lists, wanted, ...shown, ...after };
}
