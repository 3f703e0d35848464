/** The team room as a watcher reads and writes it: docs/team-room-protocol.md. */
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { ConnectionFailure, expectReply } from '../../../shared/connection.ts';
import type { Body, LogEntry } from '../../../shared/team/entries.ts';
import { aliasOf, findRoom } from '../../../shared/team/find-room.ts';
import { teamLog } from '../../../shared/team/log.ts';
import { entryFilter, eventOf, namespace, readEntry, redactedBy } from '../../../shared/team/room-events.ts';
import { catchUp, type ReadRange, readOlder } from '../../../shared/team/room-reader.ts';
import {
  isAdmin,
  MessagesPage,
  messagesPath,
  type PageQuery,
  pageOf,
  type RoomEvent,
  RoomState,
  RoomSummary,
  UserRights,
} from '../../../shared/team/room-replies.ts';
import { adminLookup, type TeamRoom } from '../../../shared/team/room-trust.ts';
import type { TeamPosition } from './watch-state.ts';
import { getOptional, type WatchedServer } from './watched-server.ts';

const recheckMs = 60_000;
const pageSize = 1000;

/** `entries`: new entries since a position, as far as they count, in the order of arrival. */
export type TeamNews = { position: TeamPosition; entries: readonly LogEntry[] };

export type WatchedTeam = ReturnType<typeof watchTeam>;

type Options = { now(): number; log(line: string): void };

/** Reads the team room once the watcher's user is a member: it accepts an invite, and never joins without one. */
export function watchTeam(server: WatchedServer, { now, log: say }: Options) {
  const log = teamLog();
  const administratorsAmong = adminLookup(server.userId, async (userId) => {
    const rights = await getOptional(server, UserRights, admin(`/v2/users/${segment(userId)}`));
    return rights !== undefined && isAdmin(rights);
  });
  let room: TeamRoom | undefined;
  let checkedAt = Number.NEGATIVE_INFINITY;
  /** The room in the log, and up to where. */
  let read: TeamPosition | undefined;
  let problem: string | undefined;

  function sayOnce(line: string | undefined) {
    if (line !== undefined && line !== problem) say(line);
    problem = line;
  }

  function admin(path: string) {
    return `${server.dialect.administration}/admin${path}`;
  }

  const find = () =>
    findRoom(
      {
        userId: server.userId,
        async findAlias(alias) {
          const path = `${server.dialect.chat}/client/v3/directory/room/${segment(alias)}`;
          return (await getOptional(server, RoomId, path))?.room_id;
        },
        accountData: (type) => getOptional(server, Content, accountDataPath(server, type)),
        summary: (roomId) => getOptional(server, RoomSummary, admin(`/v1/rooms/${segment(roomId)}`)),
        async state(roomId) {
          const reply = await server.request('GET', admin(`/v1/rooms/${segment(roomId)}/state`));
          return expectReply(RoomState, reply).state;
        },
        administratorsAmong: (userIds) => administratorsAmong(userIds, new AbortController().signal),
      },
      read?.roomId,
    );

  /** Finds the room, or checks it again. Leaves `room` undefined if there is none that the user is in. */
  async function check() {
    let { room: found } = await find();
    if (found?.memberships.get(server.userId) === 'invite') {
      await accept(found.roomId);
      ({ room: found } = await find());
    }
    checkedAt = now();
    const isMember = found?.memberships.get(server.userId) === 'join';
    room = isMember ? found : undefined;
    if (!found) sayOnce(`no team room with the alias ${aliasOf(server.userId)} that passes the checks`);
    else if (!isMember) sayOnce(`waiting for an invite of ${server.userId} to the team room`);
    else sayOnce(undefined);
    if (room) log.setTrusted(room.administrators);
  }

  async function accept(roomId: string) {
    const path = `${server.dialect.chat}/client/v3/rooms/${segment(roomId)}/join`;
    expectReply(RoomId, await server.request('POST', path, {}));
    const saved = await server.request('PUT', accountDataPath(server, namespace), { room_id: roomId });
    expectReply(Type.Unknown(), saved);
    say('joined the team room');
  }

  const messages = (roomId: string) => async (query: PageQuery) => {
    const path = server.dialect.chat + messagesPath(roomId, query);
    return pageOf(expectReply(MessagesPage, await server.request('GET', path)));
  };

  function receive(events: readonly RoomEvent[]) {
    for (const event of events) {
      const gone = redactedBy(event);
      if (gone !== undefined) log.redact(gone);
      const entry = readEntry(event);
      if (entry) log.add(entry);
    }
  }

  async function readHistory(roomId: string): Promise<TeamPosition> {
    log.clear();
    const range: ReadRange = { events: new Set(), tail: undefined };
    const reading = {
      messages: messages(roomId),
      signal: new AbortController().signal,
      range,
      receive,
    };
    const from = await catchUp(reading);
    await readOlder(reading);
    return { roomId, from };
  }

  /** Reads forwards from a position. Returns the new one. */
  async function readFrom({ roomId, from, after }: TeamPosition) {
    const load = messages(roomId);
    const events: RoomEvent[] = [];
    let position: TeamPosition = { roomId, from };
    for (;;) {
      const page = await load({ dir: 'f', from: position.from, limit: pageSize, filter: entryFilter });
      events.push(...page.events);
      const { end } = page;
      const last = page.events.at(-1)?.event_id;
      if (end === undefined && last !== undefined) position = { ...position, after: last };
      if (end === undefined || end === position.from) break;
      position = { roomId, from: end };
      if (page.events.length === 0) break;
    }
    const seen = after === undefined ? -1 : events.findIndex(({ event_id }) => event_id === after);
    return { position, events: events.slice(seen + 1) };
  }

  /** Reads new events for the log. Returns false if there is no room to read. */
  async function update(): Promise<boolean> {
    if (!room || now() >= checkedAt + recheckMs) await check();
    if (!room) return false;
    if (read?.roomId !== room.roomId) read = await readHistory(room.roomId);
    const { position, events } = await readFrom(read);
    read = position;
    receive(events);
    const { memberships } = room;
    if (events.some(({ sender }) => !memberships.has(sender))) await check();
    return room !== undefined;
  }

  return {
    /** Complete after `update`. */
    log,
    update,

    /** Returns new entries since a position; none if it's of another room. Undefined if there is no room to read. */
    async news(since: TeamPosition | undefined): Promise<TeamNews | undefined> {
      if (!(await update()) || !read) return undefined;
      if (since?.roomId !== read.roomId) return { position: read, entries: [] };
      try {
        const { position, events } = await readFrom(since);
        receive(events);
        const isNew = new Set(events.map(({ event_id }) => event_id));
        return { position, entries: [...log.entries()].filter(({ id }) => isNew.has(id)) };
      } catch (error) {
        // The server doesn't know the position if it was restored from a backup.
        if (!(error instanceof ConnectionFailure) || error.code !== 'refused') throw error;
        say(`skipped entries of the team room: ${error.message}`);
        return { position: read, entries: [] };
      }
    },

    /** Discards the log: another watcher was active, and the next one to read starts over. */
    forget() {
      read = undefined;
      room = undefined;
      log.clear();
    },

    /** Adds an entry, once per `id`. @throws ConnectionFailure */
    async send(body: Body, id: string = randomUUID()): Promise<void> {
      if (!room) throw new Error('no team room');
      const { type, content } = eventOf({ id, at: now(), body }, now());
      const path = `${server.dialect.chat}/client/v3/rooms/${segment(room.roomId)}/send/${type}/${id}`;
      expectReply(EventId, await server.request('PUT', path, content));
    },
  };
}

const segment = encodeURIComponent;
const RoomId = Type.Object({ room_id: Type.String() });
const EventId = Type.Object({ event_id: Type.String() });
const Content = Dictionary(Type.Unknown());

const accountDataPath = ({ dialect, userId }: WatchedServer, type: string) =>
  `${dialect.chat}/client/v3/user/${segment(userId)}/account_data/${segment(type)}`;
