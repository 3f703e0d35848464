/**
 * Appends events to rooms.
 *
 * - `sendEvent` appends one in a transaction of its own, `appendEvent` and `appendEvents` in the caller's, which holds the
 *   room's lock until it ends.
 * - For each draft, `stageEvent` checks it against the state that it follows, builds and signs the event, and adds it to
 *   the open room in memory. Nothing is written before all are staged.
 * - `saveRoom` (open-room.ts) then writes all staged rows and the room's own row; `announceEvents` counts their
 *   notifications and wakes waiting requests after the commit.
 *
 * New rooms are staged the same way before the transaction begins: see `planRoom` (create-room.ts).
 */
import type { JsonObject } from '../../../../shared/api/common.ts';
import { canonicalJson } from '../../../../shared/canonical-json.ts';
import type { AppServices } from '../../../identity/accounts/app-services.ts';
import { mediaOfEvent } from '../../../identity/media/media-address.ts';
import type { Notifier } from '../../../platform/concurrency/notifier.ts';
import { yieldToEventLoop } from '../../../platform/concurrency/yield.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import type { Requester } from '../../../platform/core/requester.ts';
import { randomSecret } from '../../../platform/core/secrets.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { afterCommit, inTransaction, type Tx } from '../../../platform/database/transaction.ts';
import { countNotifications, type NotificationMemory } from '../../notifications/count-notifications.ts';
import { relationIn } from '../relations/relation.ts';
import { type RoomRules, rulesOfRoom } from '../room-version.ts';
import type { SigningKey } from '../signing-key.ts';
import type { StateKey } from '../state/room-state-store.ts';
import { type AuthState, authorize } from './authorize.ts';
import { type FinishedEvent, finishEvent, requireEventSize } from './event.ts';
import {
  requireAliases,
  requireContent,
  requireOwnServerAllowed,
  requireRedactable,
  requireRelation,
} from './event-content.ts';
import { findEventOfTransaction, type SendTransaction } from './event-store.ts';
import {
  getState,
  type LoadedState,
  loadState,
  type OpenRoom,
  openRoom,
  type PendingWrites,
  type RoomMemory,
  saveRoom,
  setRedacted,
  setState,
} from './open-room.ts';

export type RoomContext = {
  config: Config;
  clock: Clock;
  signingKey: SigningKey;
  roomMemory: RoomMemory;
  notificationMemory: NotificationMemory;
  notifier: Notifier;
  appServices: AppServices;
};

export type EventDraft = {
  type: string;
  sender: string;
  /** Undefined for an event that isn't state. */
  stateKey?: string;
  content: JsonObject;
  /** `origin_server_ts`, in milliseconds since the Unix epoch; the current time by default. */
  time?: number | undefined;
  /** A repeated transaction returns the event of the first. */
  transaction?: SendTransaction;
  /** Makes the hash of a create event unique; random by default. */
  salt?: string;
};

type AppendedEvent = {
  eventId: string;
  /** False if the draft repeats a transaction or the current state: the event is the earlier one. */
  appended: boolean;
};

/** Appends one event in a transaction of its own and returns its ID. @throws MatrixError see `stageEvent` */
export const sendEvent = (
  context: RoomContext & { db: Database },
  roomId: string,
  draft: EventDraft,
): Promise<string> => inTransaction(context.db, (tx) => appendEvent(tx, context, roomId, draft));

/** The `ts` of a request, which only application services may set. */
export const timeOf = ({ appServiceId }: Requester, { ts }: { ts?: number }): number | undefined =>
  appServiceId === undefined ? undefined : ts;

/** Appends one event and returns its ID. @throws MatrixError see `stageEvent` */
export async function appendEvent(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  draft: EventDraft,
): Promise<string> {
  const [event] = await appendEvents(tx, context, roomId, [draft]);
  return event?.eventId ?? '';
}

/**
 * Appends events in order, all or none.
 *
 * @throws MatrixError 403 for an unknown room; see `stageEvent`
 */
export async function appendEvents(
  tx: Tx,
  context: RoomContext,
  roomId: string,
  drafts: readonly EventDraft[],
): Promise<AppendedEvent[]> {
  const room = await openRoom(tx, context.roomMemory, roomId);
  const events: AppendedEvent[] = [];
  for (const draft of drafts) {
    await yieldToEventLoop();
    events.push(await stageEvent(room, context, draft));
  }
  if (events.some(({ appended }) => appended)) {
    const positions = await saveRoom(tx, room);
    await announceEvents(tx, context, room, positions);
  }
  return events;
}

/** Counts notifications of the events that were written, and wakes waiting requests after the commit. */
export async function announceEvents(
  tx: Tx,
  { notifier, notificationMemory }: RoomContext,
  room: OpenRoom,
  positions: ReadonlyMap<string, number>,
): Promise<void> {
  await countNotifications(tx, notificationMemory, room, positions);
  wakeAfterCommit(tx, notifier, room.roomId, room.writes);
}

/** Wakes the room, and users with a changed membership, who may not be in it. */
function wakeAfterCommit(tx: Tx, notifier: Notifier, roomId: string, writes: PendingWrites): void {
  const userIds = [...writes.memberships.keys()];
  afterCommit(tx, () => {
    if (userIds.length > 0) notifier.wake('members', roomId);
    notifier.wake('rooms', roomId);
    for (const userId of userIds) notifier.wake('users', userId);
  });
}

/**
 * Validates a draft and adds its event to an open room, without writing it. The refusals, in order: too large, invalid
 * content, not authorized, invalid aliases or ACL, unknown or protected redaction target, invalid relation, too large or
 * without canonical form once built.
 *
 * @throws MatrixError 400, 403 or 413
 */
export async function stageEvent(
  room: OpenRoom,
  context: RoomContext,
  draft: EventDraft,
): Promise<AppendedEvent> {
  const { db, roomId, writes } = room;
  const { type, sender, stateKey, content } = draft;
  const repeated = draft.transaction && (await findEventOfTransaction(db, roomId, draft, draft.transaction));
  if (repeated) return { eventId: repeated, appended: false };

  requireEventSize(content);
  requireContent(type, stateKey, content);

  const authKeys = authKeysOf(draft);
  await loadState(room, stateKey === undefined ? authKeys : [...authKeys, [type, stateKey]]);
  const creation = type === 'm.room.create' ? content : getState(room, ['m.room.create', ''])?.content;
  const rules = rulesOfRoom(creation ?? {});
  const previous = stateKey === undefined ? undefined : getState(room, [type, stateKey]);
  if (previous && isSameState(previous, draft)) return { eventId: previous.eventId, appended: false };

  const state: AuthState = (...key) => getState(room, key);
  authorize({ ...draft, roomId, depth: room.headDepth }, state);

  if (type === 'm.room.canonical_alias') await requireAliases(db, room, content);
  if (type === 'm.room.server_acl') requireOwnServerAllowed(content, context.config.serverName);
  const redacted =
    type === 'm.room.redaction' ? await requireRedactable(db, roomId, draft, state) : undefined;
  const relation = stateKey === undefined ? relationIn(content) : undefined;
  if (relation) await requireRelation(db, roomId, draft, relation);

  const event = buildEvent(room, context, draft, { rules, authKeys, previous });
  const { eventId } = event;
  // From room version 12 on, the create event determines the room ID.
  room.roomId = event.pdu.room_id;
  writes.events.push({ event, transaction: draft.transaction, media: mediaOfEvent(content), relation });
  room.headEventId = eventId;
  room.headDepth++;

  if (stateKey !== undefined) {
    setState(room, [type, stateKey], { eventId, sender, content, redacted: false });
    if (type === 'm.room.member') {
      const membership = String(content.membership);
      room.joinedMembers += Number(membership === 'join') - Number(previous?.content.membership === 'join');
      writes.memberships.set(stateKey, { membership, eventId });
    }
  }
  if (redacted) {
    writes.redactions.push({ eventId: redacted.eventId, redactedBy: eventId });
    const { type: of, state_key: key } = redacted.pdu;
    if (key !== undefined) await setRedacted(room, [of, key], redacted.eventId);
  }
  return { eventId, appended: true };
}

/** Builds, hashes and signs the event that follows the room's head. */
function buildEvent(
  room: OpenRoom,
  { clock, config, signingKey }: RoomContext,
  { type, sender, stateKey, content: sent, time, salt }: EventDraft,
  {
    rules,
    authKeys,
    previous,
  }: { rules: RoomRules; authKeys: StateKey[]; previous: LoadedState | undefined },
): FinishedEvent {
  const now = clock.now();
  const { redacts, ...rest } = sent;
  const isOldRedaction = type === 'm.room.redaction' && !rules.isTidy && typeof redacts === 'string';
  const content = isOldRedaction ? rest : sent;
  const authorizing = rules.hasPrivilegedCreators
    ? authKeys.filter(([of]) => of !== 'm.room.create')
    : authKeys;
  return finishEvent(
    {
      auth_events: authorizing.flatMap((key) => getState(room, key)?.eventId ?? []),
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
      ...(rules.hasPrivilegedCreators && type === 'm.room.create' && { salt: salt ?? randomSecret() }),
    },
    config.serverName,
    signingKey,
    rules,
  );
}

/** The state that authorizes an event: its `auth_events`. Server-server API, "Auth events selection". */
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

function isSameState(previous: LoadedState, { sender, content }: EventDraft): boolean {
  if (previous.redacted || previous.sender !== sender) return false;
  try {
    return canonicalJson(previous.content) === canonicalJson(content);
  } catch {
    // Content without a canonical form is refused when the event is built.
    return false;
  }
}
