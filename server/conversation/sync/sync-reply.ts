/** Sync responses as JSON. Matrix specification, client-server API, `GET …/sync`. */
import type { JsonObject } from '../../../shared/api/common.ts';
import type { ClientEvent } from '../../../shared/api/events.ts';
import type { Filter } from '../../../shared/api/sync.ts';
import { mapYielding } from '../../platform/concurrency/yield.ts';
import { stringifyLong } from '../../platform/core/json.ts';
import type { StreamPositions } from '../../platform/database/changes.ts';
import type { KeyCounts } from '../encryption/one-time-key-store.ts';
import type { UnreadCount } from '../notifications/unread-count-store.ts';
import { asStatus } from '../presence/presence.ts';
import type { PresenceRecord } from '../presence/presence-store.ts';
import { visibleContent } from '../rooms/events/client-event.ts';
import type { StoredEvent } from '../rooms/events/event-store.ts';
import type { ShownRoom } from './read-rooms.ts';
import type { SyncResult } from './read-sync.ts';
import { syncToken } from './sync-request.ts';

type ReplyShape = {
  /** Milliseconds since the Unix epoch. */
  now: number;
  keys: KeyCounts;
  filter: Pick<Filter, 'event_fields' | 'event_format' | 'room'>;
  /** Name of the state in the response. */
  state: 'state' | 'state_after' | 'org.matrix.msc4222.state_after';
};

export const isEmpty = ({ hasRooms, stripped, sections }: SyncResult): boolean =>
  !hasRooms &&
  stripped.length === 0 &&
  sections.accountData.length === 0 &&
  sections.presence.length === 0 &&
  sections.inbox.events.length === 0 &&
  sections.deviceLists.changed.length === 0 &&
  sections.deviceLists.left.length === 0 &&
  sections.roomAccountData.size === 0 &&
  sections.ephemeral.size === 0;

/** Serializes room by room: an initial sync may be many megabytes. */
export async function syncReply(
  result: SyncResult,
  upTo: StreamPositions,
  shape: ReplyShape,
): Promise<string> {
  const { sections } = result;
  const rooms = await roomSections(result, upTo, shape);
  const { inbox, deviceLists } = sections;
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
  if (sections.accountData.length > 0) members.push(`"account_data":${await events(sections.accountData)}`);
  if (sections.presence.length > 0) {
    members.push(`"presence":${await events(sections.presence.map(presenceEvent(shape.now)))}`);
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

async function roomSections(result: SyncResult, upTo: StreamPositions, shape: ReplyShape): Promise<string[]> {
  const bySection = new Map<string, string[]>();
  const add = (section: string, roomId: string, room: string) => {
    const member = `${JSON.stringify(roomId)}:${room}`;
    const members = bySection.get(section);
    if (members) members.push(member);
    else bySection.set(section, [member]);
  };
  const { sections } = result;
  const withoutEvents = new Set([...sections.roomAccountData.keys(), ...sections.ephemeral.keys()]);
  for await (const rooms of result.rooms) {
    for (const room of rooms) {
      const { roomId, section } = room.update;
      withoutEvents.delete(roomId);
      add(section, roomId, await asRoom(room, result, shape));
    }
  }
  for (const roomId of withoutEvents) {
    const nothing = { events: [], limited: false, prev_batch: syncToken(upTo) };
    const room = {
      timeline: nothing,
      [shape.state]: { events: [] },
      ...nonTimelineSections(result, roomId, shape),
      summary: {},
    };
    add('join', roomId, await stringifyLong(room, 4));
  }
  for (const { roomId, section, events: state } of result.stripped) {
    add(section, roomId, object([`"${section}_state":${await events(state.map(asStrippedJson))}`]));
  }
  return [...bySection].map(([section, members]) => `"${section}":${object(members)}`);
}

async function asRoom(room: ShownRoom, result: SyncResult, shape: ReplyShape): Promise<string> {
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
    return `"events":[${texts.join()}]`;
  };
  const timeline = await shown(room.timeline, room.storedTimeline);
  const stateEvents = await shown(room.state, room.storedState);
  const others =
    section === 'join'
      ? {
          ...nonTimelineSections(result, roomId, shape),
          summary: summary
            ? {
                'm.joined_member_count': summary.joinedMembers,
                'm.invited_member_count': summary.invitedMembers,
                ...(summary.heroes.length > 0 && { 'm.heroes': summary.heroes }),
              }
            : {},
        }
      : { account_data: { events: result.sections.roomAccountData.get(roomId) ?? [] } };
  const position = `"prev_batch":"s${room.start}","limited":${room.limited}`;
  const rest = await stringifyLong(others, 4);
  return `{"timeline":{${timeline},${position}},"${state}":{${stateEvents}},${rest.slice(1)}`;
}

function nonTimelineSections(
  { sections, unread }: SyncResult,
  roomId: string,
  { filter }: ReplyShape,
): JsonObject {
  const { main = none, threads = new Map<string, UnreadCount>() } = unread.get(roomId) ?? {};
  const byThread = filter.room?.timeline?.unread_thread_notifications ?? false;
  const counted = byThread ? [main] : [main, ...threads.values()];
  return {
    account_data: { events: sections.roomAccountData.get(roomId) ?? [] },
    ephemeral: { events: sections.ephemeral.get(roomId) ?? [] },
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

/** Omits fields that a sync response implies, and fields of older APIs. */
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

/** @param fields dot-separated paths with backslash escapes. Matrix specification, client-server API, "Filtering" */
function pickFields(event: JsonObject, fields: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const field of fields) copy(event, picked, namesOf(field));
  return picked;
}

function copy(from: JsonObject, to: JsonObject, [name, ...others]: readonly string[]): void {
  if (name === undefined || name === '__proto__' || !Object.hasOwn(from, name)) return;
  const value = from[name];
  if (others.length === 0) {
    to[name] = value;
    return;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  const inner = Object.hasOwn(to, name) ? (to[name] as JsonObject) : {};
  // Already copied as a whole.
  if (inner === value) return;
  copy(value as JsonObject, inner, others);
  if (Object.keys(inner).length > 0) to[name] = inner;
}

const namesOf = (field: string): string[] =>
  (field.match(/(?:\\.|[^.\\])+/g) ?? []).map((name) => name.replaceAll(/\\(.)/g, '$1'));
