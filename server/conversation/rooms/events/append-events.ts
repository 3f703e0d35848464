/**
 * Adding events to a room. Everything that an event changes changes in the caller's transaction, which
 * holds the room from its beginning: the rules are checked against the state that the event follows. All
 * events are made before the first is written down.
 */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { canonicalJson } from '../../../../shared/canonical-json.ts';
import type { AppServices } from '../../../identity/accounts/app-services.ts';
import { mediaOfEvent } from '../../../identity/media/media-address.ts';
import type { Notifier } from '../../../platform/concurrency/notifier.ts';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { randomSecret } from '../../../platform/core/secrets.ts';
import { afterCommit, type Tx } from '../../../platform/database/transaction.ts';
import type { CarryPushRules } from '../creation/carry-over.ts';
import { relationIn } from '../relations/relation.ts';
import { type RoomRules, rulesOfRoom } from '../room-version.ts';
import type { SigningKey } from '../signing-key.ts';
import type { StateKey } from '../state/room-state-store.ts';
import { type AuthState, authorize } from './authorize.ts';
import { type FinishedEvent, finishEvent, requireEventSize } from './event.ts';
import {
  requireAliases,
  requireContent,
  requireOwnEntry,
  requireRedactable,
  requireRelation,
} from './event-content.ts';
import { findEventOfTransaction, type SendTransaction } from './event-store.ts';
import {
  closeRoom,
  type KnownState,
  knownState,
  learnState,
  noteRedaction,
  type OpenRoom,
  openRoom,
  type RoomMemory,
  rememberState,
} from './open-room.ts';
import type { RoomWrites } from './room-writes.ts';

export type RoomContext = {
  config: Config;
  clock: Clock;
  signingKey: SigningKey;
  roomMemory: RoomMemory;
  notifier: Notifier;
  countNotifications: CountNotifications;
  carryPushRules: CarryPushRules;
  appServices: AppServices;
};

/**
 * Writes down who is notified of the events that were just written to a room, of which it gets the places, by event.
 */
export type CountNotifications = (
  tx: Tx,
  room: OpenRoom,
  places: ReadonlyMap<string, number>,
) => Promise<void>;

/** What whoever sends an event says about it. */
export type EventDraft = {
  type: string;
  sender: string;
  /** Left out for an event that is not state. */
  stateKey?: string;
  content: JsonObject;
  /** When it was, in milliseconds since the Unix epoch; now without it. */
  time?: number | undefined;
  /** Sending the same transaction again gives the event that it made. */
  transaction?: SendTransaction;
};

type AppendedEvent = {
  eventId: string;
  /** False where the draft repeats a transaction, or state that the room has already: the event is theirs. */
  appended: boolean;
};

/**
 * Appends events to a room, one after the other, all or none.
 *
 * @throws MatrixError 403 where the room or the rules don't allow one; 400 and 413 for bad content
 */
export async function appendEvents(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  drafts: readonly EventDraft[],
): Promise<AppendedEvent[]> {
  const room = await openRoom(tx, context.roomMemory, roomId);
  const events = await addEvents(room, context, drafts);
  if (events.some(({ appended }) => appended)) {
    const places = await closeRoom(tx, room);
    await context.countNotifications(tx, room, places);
    wakeAfterCommit(tx, context.notifier, roomId, room.writes);
  }
  return events;
}

/** Makes the events of an open room; nothing is written down yet. */
export async function addEvents(
  room: OpenRoom,
  context: RoomContext,
  drafts: readonly EventDraft[],
): Promise<AppendedEvent[]> {
  const events: AppendedEvent[] = [];
  for (const draft of drafts) {
    await yieldToEventLoop();
    events.push(await add(room, context, draft));
  }
  return events;
}

/** The same for one event, of which it gives the identifier. */
export async function appendEvent(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  draft: EventDraft,
): Promise<string> {
  const [event] = await appendEvents(tx, context, roomId, [draft]);
  return event?.eventId ?? '';
}

async function add(room: OpenRoom, context: RoomContext, draft: EventDraft): Promise<AppendedEvent> {
  const { db, roomId, writes } = room;
  const { type, sender, stateKey, content } = draft;
  const repeated = draft.transaction && (await findEventOfTransaction(db, roomId, draft, draft.transaction));
  if (repeated) return { eventId: repeated, appended: false };

  await requireEventSize(content);
  requireContent(type, stateKey, content);
  const authKeys = authKeysOf(draft);
  await learnState(room, stateKey === undefined ? authKeys : [...authKeys, [type, stateKey]]);
  const creation = type === 'm.room.create' ? content : knownState(room, ['m.room.create', ''])?.content;
  const rules = rulesOfRoom(creation ?? {});
  const previous = stateKey === undefined ? undefined : knownState(room, [type, stateKey]);
  if (previous && isSameState(previous, draft)) return { eventId: previous.eventId, appended: false };

  const state: AuthState = (...key) => knownState(room, key);
  authorize({ ...draft, roomId, depth: room.headDepth }, state);
  if (type === 'm.room.canonical_alias') await requireAliases(db, room, content);
  if (type === 'm.room.server_acl') requireOwnEntry(content, context.config.serverName);
  const redacted =
    type === 'm.room.redaction' ? await requireRedactable(db, roomId, draft, state) : undefined;

  const relation = stateKey === undefined ? relationIn(content) : undefined;
  if (relation) await requireRelation(db, roomId, draft, relation);

  const event = makeEvent(room, context, draft, { rules, authKeys, previous });
  const { eventId } = event;
  // The creation of some rooms says what they are called.
  room.roomId = event.pdu.room_id;
  writes.events.push({ event, transaction: draft.transaction, media: mediaOfEvent(content), relation });
  room.headEventId = eventId;
  room.headDepth++;

  if (stateKey !== undefined) {
    rememberState(room, [type, stateKey], { eventId, sender, content, redacted: false });
    if (type === 'm.room.member') {
      const membership = String(content.membership);
      room.joinedMembers += Number(membership === 'join') - Number(previous?.content.membership === 'join');
      writes.memberships.set(stateKey, { membership, eventId });
    }
  }
  if (redacted) {
    writes.redactions.push({ eventId: redacted.eventId, redactedBy: eventId });
    const { type: of, state_key: key } = redacted.pdu;
    if (key !== undefined) await noteRedaction(room, [of, key], redacted.eventId);
  }
  return { eventId, appended: true };
}

/** The event of a draft, at the room's head. */
function makeEvent(
  room: OpenRoom,
  { clock, config, signingKey }: RoomContext,
  { type, sender, stateKey, content: given, time }: EventDraft,
  { rules, authKeys, previous }: { rules: RoomRules; authKeys: StateKey[]; previous: KnownState | undefined },
): FinishedEvent {
  const now = clock.now();
  const { redacts, ...untold } = given;
  const isOldRedaction = type === 'm.room.redaction' && !rules.isTidy && typeof redacts === 'string';
  const content = isOldRedaction ? untold : given;
  const named = rules.hasPrivilegedCreators ? authKeys.filter(([of]) => of !== 'm.room.create') : authKeys;
  return finishEvent(
    {
      auth_events: named.flatMap((key) => knownState(room, key)?.eventId ?? []),
      content,
      depth: room.headDepth + 1,
      origin_server_ts: time ?? now,
      prev_events: room.headEventId === null ? [] : [room.headEventId],
      prev_state: [],
      room_id: room.roomId,
      sender,
      type,
      unsigned: { age_ts: now, ...(previous && { replaces_state: previous.eventId }) },
      ...(stateKey !== undefined && { state_key: stateKey }),
      ...(isOldRedaction && { redacts }),
      ...(rules.hasPrivilegedCreators && type === 'm.room.create' && { salt: randomSecret() }),
    },
    config.serverName,
    signingKey,
    rules,
  );
}

/**
 * The state that decides whether an event may happen, and that it names as its `auth_events`. Matrix
 * specification, server-server API, "Auth events selection".
 */
function authKeysOf({ type, sender, stateKey, content }: EventDraft): StateKey[] {
  if (type === 'm.room.create') return [];
  const keys: StateKey[] = [
    ['m.room.create', ''],
    ['m.room.power_levels', ''],
    ['m.room.member', sender],
  ];
  if (type !== 'm.room.member' || stateKey === undefined) return keys;
  if (stateKey !== sender) keys.push(['m.room.member', stateKey]);
  const { membership, join_authorised_via_users_server: authority } = content;
  if (membership === 'join' || membership === 'invite' || membership === 'knock') {
    keys.push(['m.room.join_rules', '']);
  }
  if (membership === 'join' && typeof authority === 'string' && authority !== sender) {
    keys.push(['m.room.member', authority]);
  }
  return keys;
}

/** Setting what is set already changes nothing, and makes no event. */
function isSameState(previous: KnownState, { sender, content }: EventDraft): boolean {
  if (previous.redacted || previous.sender !== sender) return false;
  try {
    return canonicalJson(previous.content) === canonicalJson(content);
  } catch {
    // Content without a canonical form is refused when the event is made.
    return false;
  }
}

/** Telling those who wait for a room's events that there are new ones. */

/** Wakes the room, and whoever's membership changed: who is not in it is concerned by nothing else of it. */
export function wakeAfterCommit(tx: Tx, notifier: Notifier, roomId: string, writes: RoomWrites): void {
  const userIds = [...writes.memberships.keys()];
  afterCommit(tx, () => {
    if (userIds.length > 0) notifier.wake('members', roomId);
    notifier.wake('rooms', roomId);
    for (const userId of userIds) notifier.wake('users', userId);
  });
}
