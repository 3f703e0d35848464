/**
 * Adding events to a room. Everything that an event changes changes in the caller's transaction, which
 * holds the room from its beginning: the rules are checked against the state that the event follows.
 */
import type { Transaction } from 'kysely';
import type { JsonObject } from '../../shared/api/common.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { forbidden } from '../http/matrix-error.ts';
import type { Services } from '../services.ts';
import {
  findEventOfTransaction,
  insertEvent,
  markRedacted,
  type SendTransaction,
} from '../storage/events.ts';
import { setMembership } from '../storage/memberships.ts';
import { findState, type StateKey, setState } from '../storage/room-state.ts';
import { lockRoom, type RoomChange, updateRoom } from '../storage/rooms.ts';
import type { Schema } from '../storage/schema.ts';
import { type AuthState, authorize } from './authorize.ts';
import { finishEvent } from './event.ts';
import { requireContent } from './event-content.ts';
import { requireRedactable } from './redaction.ts';

export type RoomServices = Pick<Services, 'config' | 'clock' | 'signingKey'>;

/** What whoever sends an event says about it. */
export type EventDraft = {
  type: string;
  sender: string;
  /** Left out for an event that is not state. */
  stateKey?: string;
  content: JsonObject;
  /** Sending the same transaction again gives the event that it made. */
  transaction?: SendTransaction;
};

export type AppendedEvent = {
  eventId: string;
  /** False where the draft repeats a transaction, or state that the room has already. */
  appended: boolean;
};

/** A state event as far as appending needs to know it. */
type KnownState = { eventId: string; sender: string; content: JsonObject; redacted: boolean };

/**
 * Appends events to a room, one after the other, all or none.
 *
 * @throws MatrixError 403 where the room or the rules don't allow one; 400 and 413 for bad content
 */
export async function appendEvents(
  transaction: Transaction<Schema>,
  services: RoomServices,
  roomId: string,
  drafts: readonly EventDraft[],
): Promise<AppendedEvent[]> {
  const room = await lockRoom(transaction, roomId);
  if (!room) throw forbidden('Unknown room');

  const known = new Map<string, KnownState | undefined>();
  const change: RoomChange = {};
  let { headEventId, headDepth, joinedMembers } = room;

  const append = async (draft: EventDraft): Promise<AppendedEvent> => {
    const { type, sender, stateKey, content } = draft;
    const repeated =
      draft.transaction && (await findEventOfTransaction(transaction, roomId, sender, draft.transaction));
    if (repeated) return { eventId: repeated, appended: false };

    requireContent(type, stateKey, content);
    const authKeys = type === 'm.room.create' ? [] : authKeysOf(draft);
    await learn(stateKey === undefined ? authKeys : [...authKeys, [type, stateKey]]);
    const previous = stateKey === undefined ? undefined : known.get(keyOf([type, stateKey]));
    if (previous && isSameState(previous, draft)) return { eventId: previous.eventId, appended: false };

    const state: AuthState = (...key) => known.get(keyOf(key));
    authorize({ ...draft, roomId, depth: headDepth }, state);
    const redacted =
      type === 'm.room.redaction' ? await requireRedactable(transaction, roomId, draft, state) : undefined;

    const now = services.clock.now();
    const event = finishEvent(
      {
        auth_events: authKeys.flatMap((key) => known.get(keyOf(key))?.eventId ?? []),
        content,
        depth: headDepth + 1,
        origin_server_ts: now,
        prev_events: headEventId === null ? [] : [headEventId],
        prev_state: [],
        room_id: roomId,
        sender,
        type,
        unsigned: { age_ts: now, ...(previous && { replaces_state: previous.eventId }) },
        ...(stateKey !== undefined && { state_key: stateKey }),
      },
      services.config.serverName,
      services.signingKey,
    );
    const streamOrdering = await insertEvent(transaction, event, draft.transaction);
    headEventId = event.eventId;
    headDepth++;

    if (stateKey !== undefined) {
      known.set(keyOf([type, stateKey]), { eventId: event.eventId, sender, content, redacted: false });
      await setState(transaction, roomId, [type, stateKey], event.eventId);
      Object.assign(change, summaryOf(type, stateKey, content));
      if (type === 'm.room.member') {
        const membership = String(content.membership);
        joinedMembers += Number(membership === 'join') - Number(previous?.content.membership === 'join');
        await setMembership(transaction, roomId, stateKey, membership, streamOrdering);
      }
    }
    if (redacted) {
      await markRedacted(transaction, redacted.eventId, event.eventId);
      const { type: of, state_key: key } = redacted.pdu;
      const current = key === undefined ? undefined : (await findState(transaction, roomId, [[of, key]]))[0];
      if (key !== undefined && current?.eventId === redacted.eventId) {
        known.delete(keyOf([of, key]));
        Object.assign(change, summaryOf(of, key, {}));
      }
    }
    return { eventId: event.eventId, appended: true };
  };

  /** Reads the state events of these keys that have not been read yet, in one statement. */
  const learn = async (keys: StateKey[]) => {
    const missing = keys.filter((key) => !known.has(keyOf(key)));
    for (const key of missing) known.set(keyOf(key), undefined);
    for (const { eventId, pdu, redactedBy } of await findState(transaction, roomId, missing)) {
      const { sender, content } = pdu;
      known.set(keyOf([pdu.type, pdu.state_key ?? '']), {
        eventId,
        sender,
        content,
        redacted: redactedBy !== null,
      });
    }
  };

  const appended: AppendedEvent[] = [];
  for (const draft of drafts) appended.push(await append(draft));
  if (headDepth > room.headDepth) {
    await updateRoom(transaction, roomId, { ...change, joinedMembers, headEventId, headDepth });
  }
  return appended;
}

const keyOf = ([type, stateKey]: StateKey) => `${type}\0${stateKey}`;

/** The state that decides whether an event may happen, and that it names as its `auth_events`. */
function authKeysOf({ type, sender, stateKey, content }: EventDraft): StateKey[] {
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
const isSameState = (previous: KnownState, { sender, content }: EventDraft) =>
  !previous.redacted &&
  previous.sender === sender &&
  JSON.stringify(previous.content).length === JSON.stringify(content).length &&
  sameCanonically(previous.content, content);

function sameCanonically(left: JsonObject, right: JsonObject): boolean {
  try {
    return canonicalJson(left) === canonicalJson(right);
  } catch {
    // Content without a canonical form is refused when the event is made.
    return false;
  }
}

/** What the room's own row has to know of a state event. */
function summaryOf(type: string, stateKey: string, content: JsonObject): RoomChange {
  if (stateKey !== '') return {};
  const text = (name: string) => (typeof content[name] === 'string' ? (content[name] as string) : null);
  switch (type) {
    case 'm.room.name':
      return { name: text('name') };
    case 'm.room.topic':
      return { topic: text('topic') };
    case 'm.room.canonical_alias':
      return { canonicalAlias: text('alias') };
    case 'm.room.join_rules':
      return { joinRule: text('join_rule') ?? 'invite' };
    case 'm.room.history_visibility':
      return { historyVisibility: text('history_visibility') ?? 'shared' };
    default:
      return {};
  }
}
