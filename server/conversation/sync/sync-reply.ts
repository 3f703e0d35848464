/** Sync responses as JSON. Matrix specification, client-server API, `GET …/sync`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { Filter } from '../../../shared/api/filters.ts';
import { mapYielding, yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import { stringifyLong } from '../../platform/core/json.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { KeyCounts } from '../encryption/one-time-key-store.ts';
import type { UnreadCount } from '../notifications/unread-count-store.ts';
import { asStatus } from '../presence/presence-routes.ts';
import type { PresenceRecord } from '../presence/presence-store.ts';
import { visibleContent } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import { pickFields } from './event-fields.ts';
import type { ShownRoom } from './read-rooms.ts';
import type { SyncAnswer } from './read-sync.ts';
import { syncToken } from './sync-question.ts';

export type ReplyShape = {
  /** Milliseconds since the Unix epoch. */
  now: number;
  keys: KeyCounts;
  filter: Pick<Filter, 'event_fields' | 'event_format' | 'room'>;
  /** Name of the state in the response. */
  state: 'state' | 'state_after' | 'org.matrix.msc4222.state_after';
};

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

/** Serializes room by room, yielding in between: an initial sync may be many megabytes. */
export async function syncReply(
  answer: SyncAnswer,
  upTo: StreamPositions,
  shape: ReplyShape,
): Promise<string> {
  const { parts } = answer;
  const rooms = await roomSections(answer, upTo, shape);
  await yieldToEventLoop();
  const { inbox, deviceLists } = parts;
  const lists = {
    ...(deviceLists.changed.length > 0 && { changed: deviceLists.changed }),
    ...(deviceLists.left.length > 0 && { left: deviceLists.left }),
  };
  const members = [
    `"next_batch":${JSON.stringify(syncToken({ events: upTo.events, changes: inbox.upTo }))}`,
    `"device_one_time_keys_count":${JSON.stringify(shape.keys.oneTimeKeys)}`,
    `"device_unused_fallback_key_types":${JSON.stringify(shape.keys.unusedFallbackKeys)}`,
  ];
  if (inbox.events.length > 0) members.push(`"to_device":${await events(inbox.events)}`);
  if (Object.keys(lists).length > 0) members.push(`"device_lists":${JSON.stringify(lists)}`);
  if (parts.accountData.length > 0) members.push(`"account_data":${await events(parts.accountData)}`);
  if (parts.presence.length > 0) {
    members.push(`"presence":${await events(parts.presence.map(presenceEvent(shape.now)))}`);
  }
  if (rooms.length > 0) members.push(`"rooms":${object(rooms)}`);
  return object(members);
}

/** @param members serialized, with their names */
const object = (members: readonly string[]) => `{${members.join()}}`;

/** Matrix specification, client-server API, `m.presence`. */
const presenceEvent = (now: number) => (record: PresenceRecord) => ({
  type: 'm.presence',
  sender: record.userId,
  content: asStatus(record, now),
});

const events = (list: readonly object[]) => stringifyLong({ events: list }, 3);

async function roomSections(answer: SyncAnswer, upTo: StreamPositions, shape: ReplyShape): Promise<string[]> {
  const sections = new Map<string, string[]>();
  const add = (section: string, roomId: string, room: string) => {
    const member = `${JSON.stringify(roomId)}:${room}`;
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
      add(section, roomId, await asRoom(room, answer, shape));
    }
  };
  await addRooms(answer.rooms);
  for await (const rooms of answer.others) await addRooms(rooms);
  // Rooms without new events.
  for (const roomId of beside) {
    const nothing = { events: [], limited: false, prev_batch: syncToken(upTo) };
    const room = {
      timeline: nothing,
      [shape.state]: { events: [] },
      ...nonTimelineSections(answer, roomId, shape),
      summary: {},
    };
    add('join', roomId, await stringifyLong(room, 4));
  }
  for (const { roomId, section, events: state } of answer.stripped) {
    add(section, roomId, object([`"${section}_state":${await events(state.map(asStrippedJson))}`]));
  }
  await yieldToEventLoop();
  return [...sections].map(([section, members]) => `"${section}":${object(members)}`);
}

async function asRoom(room: ShownRoom, answer: SyncAnswer, shape: ReplyShape): Promise<string> {
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
          ...nonTimelineSections(answer, roomId, shape),
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
  const rest = await stringifyLong(others, 4);
  return `{"timeline":{${timeline},${place}},"${state}":{${stateEvents}},${rest.slice(1)}`;
}

function nonTimelineSections(
  { parts, unread }: SyncAnswer,
  roomId: string,
  { filter }: ReplyShape,
): JsonObject {
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

/** Omits what a sync response implies, and fields of older APIs. */
export function asSyncEvent(event: ClientEvent): JsonObject {
  const { room_id, user_id, age, prev_content, replaces_state, redacted_because, ...shown } = event;
  return shown;
}

const asFederationEvent = (event: StoredEvent): JsonObject => ({
  ...event.pdu,
  // No supported room version has the event ID in the event.
  event_id: event.eventId,
  content: visibleContent(event),
});

const asStrippedJson = (event: object) => ('event_id' in event ? asSyncEvent(event as ClientEvent) : event);
