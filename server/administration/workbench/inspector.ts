/**
 * Records the last requests and replies in memory while the inspector is on. They are redacted when someone views them,
 * because redacting takes as long as answering a request.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type InspectedRequest, keptRequests } from '../../../shared/workbench/inspector.ts';
import { workbench } from '../../../shared/workbench/paths.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { describeRequest } from './describe-request.ts';
import { type RecordedRequest, sizeOf, type Watched, watchRequest } from './watch-request.ts';

/** Total size of all kept requests, in bytes. */
const maxHeld = 32 * 1024 * 1024;

/** `size` is in bytes. */
type KeptRequest = { number: number; seen: RecordedRequest; size: number };

type KeptRequests = {
  readonly count: number;
  add(number: number, seen: RecordedRequest): void;
  /** Returns the requests with greater numbers, oldest first. */
  after(number: number): KeptRequest[];
  forget(): void;
};

export function keepRequests(): KeptRequests {
  const kept: KeptRequest[] = [];
  let held = 0;

  function drop(count: number): void {
    for (const { size } of kept.splice(0, count)) held -= size;
  }

  return {
    get count() {
      return Math.min(kept.length, keptRequests);
    },
    add(number, seen) {
      const size = sizeOf(seen);
      kept.push({ number, seen, size });
      held += size;
      // Many at once, because removing from the front moves all others.
      if (kept.length >= 2 * keptRequests) drop(kept.length - keptRequests);
      else if (held > maxHeld) drop(kept.length >> 1);
    },
    after(number) {
      const first = kept.findLastIndex((each) => each.number <= number) + 1;
      return kept.slice(Math.max(first, kept.length - keptRequests));
    },
    forget() {
      drop(kept.length);
    },
  };
}

/** Number of programs to remember, the most recent ones. */
const maxPrograms = 100;

/** The programs that use the developer tools: their other requests are a console's, not those of a client under test. */
type Consoles = {
  /** Called for each request to the developer tools. */
  note(request: IncomingMessage, userId: string): void;
  /** Returns the users who use the developer tools with the program that sent this request. */
  usersOf(request: IncomingMessage): ReadonlySet<string> | undefined;
};

function createConsoles(): Consoles {
  const programs = new LRUCache<string, Set<string>>({ max: maxPrograms });
  return {
    note(request, userId) {
      const program = programOf(request);
      const users = programs.get(program) ?? new Set();
      programs.set(program, users.add(userId));
    },
    usersOf: (request) => programs.get(programOf(request)),
  };
}

/** A page sends no origin with GET requests to its own server, and the desktop app never sends one. */
function programOf({ headers }: IncomingMessage): string {
  const origin = headers['sec-fetch-site'] === 'same-origin' ? 'same' : headers.origin;
  return `${origin ?? ''} ${headers['user-agent'] ?? ''}`;
}

/** Whether a console sent it: with the session that uses the developer tools or with none, or for one of its files. */
function isFromConsole({ url, method, userId, consoleUsers }: RecordedRequest): boolean {
  if (url.startsWith('/console/')) return true;
  if (!consoleUsers) return false;
  return userId === null ? method === 'GET' : consoleUsers.has(userId);
}

/** How often watchers get new requests, and how long redacting may take each time, in milliseconds. */
const interval = 100;
const share = 4;

export type Inspector = {
  readonly isOn: boolean;
  readonly kept: number;
  turn(on: boolean): void;
  /** The oldest first. */
  after(number: number, limit: number): Promise<InspectedRequest[]>;
  forget(): void;
  /** Calls back for each request after that number. Returns a function that ends this. */
  listen(after: number, listener: (request: InspectedRequest) => void): () => void;
  /** Records the user of a request once it is known. */
  noteCaller(request: IncomingMessage, userId: string): void;
  /** Records a use of the developer tools: other requests of that program are kept separately. */
  noteConsole(request: IncomingMessage, userId: string): void;
  /** Wraps a request listener to record its requests while the inspector is on. */
  over(answer: RequestListener): RequestListener;
};

type Watcher = { after: number; listener: (request: InspectedRequest) => void };

type Context = { config: Config; clock: Clock; log: Log };

/** Watchers get requests a moment later. If there are more than can be redacted in time, the oldest are dropped. */
export function createInspector({ config, clock, log }: Context): Inspector {
  // Numbered together, so that they can be shown as one list.
  const own = keepRequests();
  const others = keepRequests();
  const consoles = createConsoles();
  let last = 0;
  const watchers = new Set<Watcher>();
  let isOn = false;
  let isScheduled = false;
  let secrets: string[] = [];

  function take(seen: RecordedRequest): void {
    if (!isOn || seen.isForWorkbench) return;
    (isFromConsole(seen) ? own : others).add(++last, seen);
    if (watchers.size > 0 && !isScheduled) schedule();
  }

  /** A hostile request must not crash the server, even if we have missed something. */
  function show({ number, seen }: KeptRequest): InspectedRequest | undefined {
    try {
      return describeRequest(number, seen, secrets);
    } catch (error) {
      // The message may contain secrets of the request.
      log.error(`inspector: couldn't display request ${number}: ${(error as Error).name}`);
      return undefined;
    }
  }

  function schedule(): void {
    isScheduled = true;
    clock.after(interval, () => {
      isScheduled = false;
      notifyUntil(performance.now() + share);
      if ([...watchers].some(({ after }) => after < last)) schedule();
    });
  }

  /** Sends each request to all watchers before the next one: it is redacted once for all. */
  function notifyUntil(end: number): void {
    if (watchers.size === 0) return;
    const seenByAll = Math.min(...[...watchers].map(({ after }) => after));
    for (const each of keptAfter(seenByAll)) {
      const shown = show(each);
      for (const watcher of watchers) {
        if (watcher.after >= each.number) continue;
        watcher.after = each.number;
        if (shown) watcher.listener(shown);
      }
      if (performance.now() > end) return;
    }
    for (const watcher of watchers) watcher.after = last;
  }

  /** The oldest first. */
  const keptAfter = (number: number) =>
    [...others.after(number), ...own.after(number)].sort((one, other) => one.number - other.number);

  return {
    get isOn() {
      return isOn;
    },
    get kept() {
      return own.count + others.count;
    },
    turn(on) {
      isOn = on;
      secrets = configuredSecrets(config);
    },
    async after(number, limit) {
      const wanted = keptAfter(number).slice(0, limit);
      const shown: InspectedRequest[] = [];
      for (const each of wanted) {
        await yieldToEventLoop();
        const request = show(each);
        if (request) shown.push(request);
      }
      return shown;
    },
    forget() {
      own.forget();
      others.forget();
    },
    listen(after, listener) {
      // A client from before a restart knows higher numbers.
      const watcher = { after: Math.min(after, last), listener };
      watchers.add(watcher);
      if (watcher.after < last && !isScheduled) schedule();
      return () => watchers.delete(watcher);
    },
    noteCaller(request, userId) {
      const { seen } = request as Watched;
      if (seen) seen.userId = userId;
    },
    noteConsole(request, userId) {
      consoles.note(request, userId);
      // The prefix check in `over` misses unusual spellings of the path.
      const { seen } = request as Watched;
      if (seen) seen.isForWorkbench = true;
    },
    over: (answer) => (request, response) => {
      if (!isOn || request.url?.startsWith(`${workbench}/`)) return answer(request, response);
      watchRequest(request, response, answer, clock.now(), consoles.usersOf(request), take);
    },
  };
}

/** Returns every secret of the configuration. */
export function configuredSecrets(config: Config): string[] {
  const { jwt, registration, appServices, turn, externalAuthentication, database } = config;
  return [
    jwt?.algorithm.startsWith('HS') ? jwt.secret : undefined,
    registration.sharedSecret,
    ...appServices.flatMap(({ token, hsToken }) => [token, hsToken]),
    turn && ('sharedSecret' in turn ? turn.sharedSecret : turn.password),
    externalAuthentication?.secret,
    database.name === 'psycopg2' ? database.password : undefined,
  ].filter((secret) => secret !== undefined);
}
