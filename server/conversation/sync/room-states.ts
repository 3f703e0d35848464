/** The state that a sync shows beside the timelines: all of it, or what changed. */
import { forEachYielding, yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { EventTest } from '../rooms/events/event-filter.ts';
import { findEvents, type StoredEvent } from '../rooms/events/event-store.ts';
import { listCurrentState } from '../rooms/state/current-state-store.ts';
import type { LazyMembers } from './lazy-members.ts';
import { listStateChanges, listStatePieces } from './room-events-store.ts';
import type { RoomView } from './timelines.ts';

export type StateRules = {
  test: EventTest;
  /** The state at the end of the timelines instead of that at their beginning. */
  after: boolean;
  /** Undefined where all members are shown. */
  lazy: LazyMembers | undefined;
};

/** The state of each room up to where its timeline begins, or ends. */
export async function readStates(
  db: Database,
  userId: string,
  views: readonly RoomView[],
  { test, after, lazy }: StateRules,
): Promise<Map<string, StoredEvent[]>> {
  const cuts = new Map(
    views.map(({ update, timeline }) => [update.roomId, after ? update.upTo : timeline.start]),
  );
  const cutOf = (roomId: string) => cuts.get(roomId) ?? 0;
  const states = new Map<string, Map<string, StoredEvent>>(
    [...cuts.keys()].map((roomId) => [roomId, new Map()]),
  );
  const add = (event: StoredEvent) => {
    const { room_id, type, state_key } = event.pdu;
    states.get(room_id)?.set(`${type}\0${state_key}`, event);
  };

  const whole = views.filter(({ update }) => update.full).map(({ update }) => update.roomId);
  const current = await listCurrentState(db, whole, { members: !lazy });
  await forEachYielding(await asItWas(db, current, cutOf), add);

  // A client that loads members as they are needed may have some of before, in a room that it is shown in full, too.
  const stretches = views
    .map(({ update: { roomId, full, after: last, knownUpTo } }) => {
      const known = full ? lazy && knownUpTo : last;
      return { roomId, after: known ?? Number.POSITIVE_INFINITY, upTo: cutOf(roomId) };
    })
    .filter(({ after: from, upTo }) => from < upTo);
  for (const changes of (await listStateChanges(db, stretches)).values()) await forEachYielding(changes, add);

  if (lazy) {
    const wanted = lazy.membersToShow(userId, views);
    const members = await asItWas(db, await listStatePieces(db, wanted), cutOf);
    for (const event of lazy.notSentYet(members)) add(event);
  }
  // The timeline doesn't tell of these, and a later sync won't.
  for (const { update, timeline } of after ? [] : views) {
    const isShown = ({ streamOrdering, pdu: { type, state_key } }: StoredEvent) =>
      !(lazy && update.full && type === 'm.room.member') ||
      streamOrdering > (update.knownUpTo ?? Number.POSITIVE_INFINITY) ||
      states.get(update.roomId)?.has(`${type}\0${state_key}`);
    await forEachYielding(timeline.leftOut.filter(isShown), add);
  }
  for (const { timeline } of views) {
    const { afterwards, events } = timeline;
    if (afterwards && (after || events.at(-1)?.event !== afterwards)) add(afterwards);
  }
  const shown = new Map<string, StoredEvent[]>();
  for (const [roomId, state] of states) shown.set(roomId, await inOrder(state.values(), test));
  return shown;
}

/** What a filter leaves of a room's state, the oldest first. */
async function inOrder(state: Iterable<StoredEvent>, test: EventTest): Promise<StoredEvent[]> {
  const wanted: StoredEvent[] = [];
  await forEachYielding(state, (event) => {
    const { type, sender, content } = event.pdu;
    if (test?.({ type, sender, content }) ?? true) wanted.push(event);
  });
  await yieldToEventLoop();
  wanted.sort((one, other) => one.streamOrdering - other.streamOrdering);
  await yieldToEventLoop();
  return wanted;
}

/** Current state events as that state was at earlier places: each names the one that it replaced. */
export async function asItWas(
  db: Database,
  events: readonly StoredEvent[],
  cutOf: (roomId: string) => number,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for (let left = events; left.length > 0; ) {
    const earlier: string[] = [];
    await forEachYielding(left, (event) => {
      const { room_id, unsigned } = event.pdu;
      if (event.streamOrdering <= cutOf(room_id)) found.push(event);
      else if (unsigned.replaces_state) earlier.push(unsigned.replaces_state);
    });
    left = await findEvents(db, earlier);
  }
  return found;
}
