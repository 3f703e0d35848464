/** A sync's answer as JSON. Matrix specification, client-server API, `GET …/sync`. */
import type { JsonObject } from '../../shared/api/common.ts';
import type { ClientEvent } from '../../shared/api/events.ts';
import type { Filter } from '../../shared/api/filters.ts';
import { keepOfReads } from '../core/held-reads.ts';
import { jsonPieces } from '../core/json-in-turns.ts';
import { mapYielding, yieldToEventLoop } from '../core/yield.ts';
import type { Places } from '../database/changes.ts';
import type { KeyCounts } from '../encryption/one-time-key-store.ts';
import { lengthOf } from '../http/send-json.ts';
import type { UnreadCount } from '../push/notification-store.ts';
import { asStatus } from '../receipts/presence-routes.ts';
import type { PresenceRecord } from '../receipts/presence-store.ts';
import { visibleContent } from '../rooms/client-event.ts';
import type { StoredEvent } from '../rooms/event-store.ts';
import { pickFields } from './event-fields.ts';
import type { ShownRoom } from './read-rooms.ts';
import type { SyncAnswer } from './read-sync.ts';
import { syncToken } from './sync-token.ts';

export type ReplyShape = {
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** What the device has left of its keys. */
  keys: KeyCounts;
  filter: Pick<Filter, 'event_fields' | 'event_format' | 'room'>;
  /** By which name the state stands. */
  state: 'state' | 'state_after' | 'org.matrix.msc4222.state_after';
};

/** Whether there is nothing that a client has to be told. */
export const isEmpty = ({ rooms, stripped, parts }: SyncAnswer): boolean =>
  rooms.length === 0 &&
  stripped.length === 0 &&
  parts.accountData.length === 0 &&
  parts.presence.length === 0 &&
  parts.inbox.events.length === 0 &&
  parts.deviceLists.changed.length === 0 &&
  parts.deviceLists.left.length === 0 &&
  parts.roomAccountData.size === 0 &&
  parts.ephemeral.size === 0;

/** The reply as JSON, in pieces one behind the other, made room by room: of an account with very many it is megabytes. */
export async function syncReply(answer: SyncAnswer, upTo: Places, shape: ReplyShape): Promise<string[]> {
  const { parts } = answer;
  const rooms = await roomSections(answer, upTo, shape);
  await yieldToEventLoop();
  const { inbox, deviceLists } = parts;
  const lists = {
    ...(deviceLists.changed.length > 0 && { changed: deviceLists.changed }),
    ...(deviceLists.left.length > 0 && { left: deviceLists.left }),
  };
  const members: Json[] = [
    [`"next_batch":${JSON.stringify(syncToken({ events: upTo.events, changes: inbox.upTo }))}`],
    [`"device_one_time_keys_count":${JSON.stringify(shape.keys.oneTimeKeys)}`],
    [`"device_unused_fallback_key_types":${JSON.stringify(shape.keys.unusedFallbackKeys)}`],
  ];
  if (inbox.events.length > 0) members.push(['"to_device":', ...(await events(inbox.events))]);
  if (Object.keys(lists).length > 0) members.push([`"device_lists":${JSON.stringify(lists)}`]);
  if (parts.accountData.length > 0) members.push(['"account_data":', ...(await events(parts.accountData))]);
  if (parts.presence.length > 0) {
    members.push(['"presence":', ...(await events(parts.presence.map(presenceEvent(shape.now))))]);
  }
  if (rooms.length > 0) members.push(['"rooms":', ...object(rooms)]);
  return object(members);
}

/** JSON in pieces. To put them together is left to who sends them: it takes long where they are long. */
type Json = readonly string[];

/** An object of members that are written. */
const object = (members: readonly Json[]): string[] => [
  '{',
  ...members.flatMap((member, index) => (index === 0 ? member : [',', ...member])),
  '}',
];

/** Somebody's presence as an event. Matrix specification, client-server API, `m.presence`. */
const presenceEvent = (now: number) => (record: PresenceRecord) => ({
  type: 'm.presence',
  sender: record.userId,
  content: asStatus(record, now),
});

/** As far as their contents, which may be written already. */
const events = (list: readonly object[]) => jsonPieces({ events: list }, 3);

/** As text that is not English. */
const bytesPerCharacter = 2;

/** @throws MatrixError 429 where there is too much of it */
async function roomSections(answer: SyncAnswer, upTo: Places, shape: ReplyShape): Promise<Json[]> {
  const sections = new Map<string, Json[]>();
  const add = (section: string, roomId: string, room: Json) => {
    const member = [`${JSON.stringify(roomId)}:`, ...room];
    const of = sections.get(section);
    if (of) of.push(member);
    else sections.set(section, [member]);
  };
  const { parts } = answer;
  const beside = new Set([...parts.roomAccountData.keys(), ...parts.ephemeral.keys()]);
  const addRooms = async (rooms: readonly ShownRoom[]) => {
    for (const room of rooms) {
      await yieldToEventLoop();
      const { roomId, section } = room.update;
      beside.delete(roomId);
      const json = await asRoom(room, answer, shape);
      written += lengthOf(json);
      add(section, roomId, json);
    }
    // Of what was read nothing is needed any more but this text.
    keepOfReads(written * bytesPerCharacter);
  };
  let written = 0;
  await addRooms(answer.rooms);
  for await (const rooms of answer.others) await addRooms(rooms);
  // Where nothing happened but what is no event.
  for (const roomId of beside) {
    const nothing = { events: [], limited: false, prev_batch: syncToken(upTo) };
    const room = {
      timeline: nothing,
      [shape.state]: { events: [] },
      ...aside(answer, roomId, shape),
      summary: {},
    };
    // As far as the contents of the account data.
    add('join', roomId, await jsonPieces(room, 4));
  }
  for (const { roomId, section, events: told } of answer.stripped) {
    const state = await events(told.map(asStrippedJson));
    add(section, roomId, object([[`${JSON.stringify(`${section}_state`)}:`, ...state]]));
  }
  await yieldToEventLoop();
  return [...sections].map(([section, members]) => [`${JSON.stringify(section)}:`, ...object(members)]);
}

/** A room, made event by event: there may be many, or large ones. */
async function asRoom(room: ShownRoom, answer: SyncAnswer, shape: ReplyShape): Promise<Json> {
  const { filter, state } = shape;
  const { roomId, section } = room.update;
  const { summary } = room;
  const asText = (event: JsonObject) =>
    JSON.stringify(filter.event_fields ? pickFields(event, filter.event_fields) : event);
  const shown = async (list: readonly ClientEvent[], stored: readonly StoredEvent[]) => {
    const texts =
      filter.event_format === 'federation'
        ? await mapYielding(stored, (event) => asText(asFederationEvent(event)))
        : await mapYielding(list, (event) => asText(asSyncEvent(event)));
    await yieldToEventLoop();
    return `"events":[${texts.join()}]`;
  };
  const timeline = await shown(room.timeline, room.events);
  const stateEvents = await shown(room.state, room.storedState);
  const others =
    section === 'join'
      ? {
          ...aside(answer, roomId, shape),
          summary: summary
            ? {
                'm.joined_member_count': summary.joinedMembers,
                'm.invited_member_count': summary.invitedMembers,
                ...(summary.heroes.length > 0 && { 'm.heroes': summary.heroes }),
              }
            : {},
        }
      : { account_data: { events: answer.parts.roomAccountData.get(roomId) ?? [] } };
  const place = `"prev_batch":"s${room.start}","limited":${room.limited}`;
  // As far as the contents of the account data.
  const [first = '', ...rest] = await jsonPieces(others, 4);
  return [`{"timeline":{${timeline},${place}},"${state}":{${stateEvents}},${first.slice(1)}`, ...rest];
}

function aside({ parts, unread }: SyncAnswer, roomId: string, { filter }: ReplyShape): JsonObject {
  const { main = none, threads = new Map<string, UnreadCount>() } = unread.get(roomId) ?? {};
  const byThread = filter.room?.timeline?.unread_thread_notifications ?? false;
  const counted = byThread ? [main] : [main, ...threads.values()];
  return {
    account_data: { events: parts.roomAccountData.get(roomId) ?? [] },
    ephemeral: { events: parts.ephemeral.get(roomId) ?? [] },
    unread_notifications: asCounts({
      notifications: counted.reduce((sum, { notifications }) => sum + notifications, 0),
      highlights: counted.reduce((sum, { highlights }) => sum + highlights, 0),
    }),
    ...(byThread &&
      threads.size > 0 && {
        unread_thread_notifications: Object.fromEntries(
          [...threads].map(([threadId, count]) => [threadId, asCounts(count)]),
        ),
      }),
  };
}

const none: UnreadCount = { notifications: 0, highlights: 0 };

const asCounts = ({ notifications, highlights }: UnreadCount) => ({
  notification_count: notifications,
  highlight_count: highlights,
});

/** An event without what clients know already, and without what only old clients look for elsewhere. */
export function asSyncEvent(event: ClientEvent): JsonObject {
  const { room_id, user_id, age, prev_content, replaces_state, redacted_because, ...shown } = event;
  return shown;
}

const asFederationEvent = (event: StoredEvent): JsonObject => ({
  ...event.pdu,
  // Of the versions of rooms that there are none says in an event what it is called.
  event_id: event.eventId,
  content: visibleContent(event),
});

const asStrippedJson = (event: object) => ('event_id' in event ? asSyncEvent(event as ClientEvent) : event);
