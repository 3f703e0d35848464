/** Consoles of several admins on one real homeserver, without pages: their view of the team. */
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { deletedReports } from '../../renderer/api/reports/deleted-reports.ts';
import { openDeviceStorage } from '../../renderer/persisted.ts';
import { consoleQueryClient } from '../../renderer/query-client.ts';
import { teamOf } from '../../renderer/team/team-store.ts';
import { sendFromPage } from '../../renderer/transport/fetch.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import { ConnectionFailure, type IncomingReply } from '../../shared/connection.ts';
import type { DialectName } from '../../shared/dialect.ts';
import { outgoingRequest, type PageRequest } from '../../shared/outgoing-request.ts';
import type { ReportKind, TeamEntry } from '../../shared/team/entries.ts';
import { type Caller, startHomeserver, type TestHomeserver } from '../server/homeserver.ts';
import { memoryStorage, stubPage } from './page-stub.ts';

const client = '/_chat/client/v3';
const alias = '#gatehouse-team:localhost';

/** Answers a request instead of the server, or passes it on with `forward`. */
export type Interfere = (
  request: PageRequest,
  forward: () => Promise<IncomingReply>,
) => Promise<IncomingReply>;

type Options = {
  dialect?: DialectName;
  /** Browser storage. */
  storage?: Storage;
  interfere?: Interfere;
};

export type TeamConsole = ReturnType<typeof openTeamConsole>;

/** Opens an admin's console. */
function openTeamConsole(
  homeserver: TestHomeserver,
  person: string,
  { dialect = 'vendor', storage = memoryStorage(), interfere }: Options,
) {
  const { userId, accessToken = '' } = homeserver.as(person);
  const connection = { id: `${person}@team`, baseUrl: homeserver.url, dialect, userId, local: false };
  const send: ConsoleHost['request'] = async (_, request, options) => {
    const outgoing = outgoingRequest({ connection, accessToken }, request);
    const forward = async () => {
      if (console.isOffline) throw new ConnectionFailure('unreachable', "Can't reach the server.");
      console.underway++;
      try {
        return await sendFromPage(outgoing, options);
      } finally {
        // Requests take one millisecond of test time.
        vi.advanceTimersByTime(1);
        console.underway--;
      }
    };
    return console.interfere ? console.interfere(request, forward) : forward();
  };
  const deviceStorage = openDeviceStorage({ local: storage, session: memoryStorage() });
  const reachability = reachabilityStore();
  const servers = connectedServers({ request: send } as ConsoleHost, reachability, deviceStorage);
  const queryClient = consoleQueryClient();
  const server = servers.of(connection);
  const store = teamOf(server);

  const console = {
    server,
    /** The console's context for actions and components. */
    context: { server, queryClient, deletedReports: deletedReports(), reachability },
    storage,
    interfere,
    isOffline: false,
    /** Number of requests without a reply. */
    underway: 0,
    get team() {
      return store.snapshot();
    },
    get room() {
      return store.snapshot().sync.room;
    },
    /** Returns the marks of one report kind that aren't open, by report. */
    marks: (of: ReportKind = 'report') =>
      Object.fromEntries(
        [...store.snapshot().marksOf[of].values()].map((mark) => [mark.reportId, mark.state]),
      ),
    /** Returns the history of an event report, oldest first. */
    history: (id: number) => store.snapshot().timeline({ kind: 'report', id }).map(gistOf).reverse(),
    close() {
      servers.close();
      queryClient.clear();
      deviceStorage.close();
    },
  };
  store.subscribe(() => {});
  return console;
}

/** Returns user and action in a few words. */
function gistOf(entry: TeamEntry): string {
  const by = entry.by.replace(/:.*/, '');
  if (entry.type === 'note') return `${by}: ${entry.text}`;
  if (entry.type === 'action') return `${by} ${entry.action} ${entry.outcome}`;
  return `${by} ${entry.type === 'mark' ? entry.state : entry.type}`;
}

/** Returns the ID of the room behind the team's alias. */
export async function teamRoomId(as: Caller): Promise<string> {
  return (await as.get(`${client}/directory/room/${encodeURIComponent(alias)}`)).body.room_id;
}

type TeamEvent = {
  type: string;
  sender: string;
  origin_server_ts: number;
  content: Record<string, unknown>;
};

/** Returns the team's entries in the room, oldest first. */
export async function roomEvents(as: Caller, roomId?: string): Promise<TeamEvent[]> {
  const room = encodeURIComponent(roomId ?? (await teamRoomId(as)));
  const { body } = await as.get(`${client}/rooms/${room}/messages?dir=f&limit=1000`);
  return (body.chunk as TeamEvent[]).filter(
    ({ type }) => type.startsWith('io.gatehouse.team') && !type.endsWith('looking'),
  );
}

/** Returns a path under the team room. */
export const inRoom = async (as: Caller, path: string) =>
  `${client}/rooms/${encodeURIComponent(await teamRoomId(as))}/${path}`;

/**
 * Sets up the tests of a file with a homeserver per test. `admin` and `bob` are admins; `alice` and `carol` aren't. A
 * test advances the clock, which also runs at its own pace.
 */
export function teamConsoles() {
  const page = stubPage();
  const open = new Set<TeamConsole>();

  async function idle() {
    for (let turns = 0; turns < 10; turns++) {
      await setImmediate();
      if ([consoles, ...open].some(({ underway }) => underway > 0)) turns = 0;
    }
  }

  const consoles = {
    page,
    homeserver: {} as TestHomeserver,
    /** Number of requests from other clients that have no reply yet. */
    underway: 0,
    open(person: string, options: Options = {}) {
      const opened = openTeamConsole(consoles.homeserver, person, options);
      open.add(opened);
      return opened;
    },
    /** Opens the console of the admin who creates the team room. */
    async create(person = 'admin', options?: Options) {
      const opened = consoles.open(person, options);
      await opened.team.sync.createRoom(['@bob:localhost', '@admin:localhost']);
      await consoles.eventually(() => opened.team.sync.state).toBe('shared');
      return opened;
    },
    /** Opens a console and joins the team room. */
    async join(person = 'bob', options?: Options) {
      const opened = consoles.open(person, options);
      await consoles.joinFrom(opened);
      return opened;
    },
    async joinFrom(opened: TeamConsole) {
      await consoles.eventually(() => opened.room.is).toBe('offered');
      await opened.team.sync.joinRoom();
      await consoles.eventually(() => opened.team.sync.state).toBe('shared');
    },
    close(closed: TeamConsole) {
      open.delete(closed);
      closed.close();
    },
    makeAdmin: (person: string, admin = true) =>
      consoles.homeserver.as('admin').put(`/_service/admin/v1/users/@${person}:localhost/admin`, { admin }),
    /** Advances the clock in steps; the server replies between them. */
    async pass(milliseconds: number) {
      for (let left = milliseconds; left > 0; left -= 1_000) {
        await idle();
        await vi.advanceTimersByTimeAsync(Math.min(1_000, left));
      }
      await idle();
    },
    /** Reads now, and again after every second. */
    eventually: <Value>(read: () => Value | Promise<Value>) =>
      expect.poll(
        async () => {
          await consoles.pass(1_000);
          return read();
        },
        { interval: 1 },
      ),
  };

  beforeEach(async () => {
    page.hidden = false;
    consoles.homeserver = await startHomeserver();
    await consoles.makeAdmin('bob');
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
      shouldAdvanceTime: true,
    });
  });

  afterEach(async () => {
    for (const each of open) consoles.close(each);
    await consoles.homeserver.remove();
    vi.useRealTimers();
  });

  return consoles;
}
