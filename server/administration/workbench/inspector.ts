/** Ring buffer of recorded requests. Each is kept as recorded until someone views it, then in redacted form. */

import type { IncomingMessage, RequestListener } from 'node:http';
import { LRUCache } from 'lru-cache';
import { type InspectedRequest, keptRequests } from '../../../shared/workbench/inspector.ts';
import { workbench } from '../../../shared/workbench/paths.ts';
import { yieldToEventLoop } from '../../platform/concurrency/yield.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Clock } from '../../platform/core/clock.ts';
import type { Log } from '../../platform/core/log.ts';
import { describeRequest } from './describe-request.ts';
import { type Seen, sizeOf, type Watched, watchRequest } from './watch-request.ts';

/** Total size of all kept requests, in bytes. */
const mostHeld = 32 * 1024 * 1024;

type KeptRequest = {
  number: number;
  seen: Seen | undefined;
  /** Size of `seen` or `shown` in bytes; 0 once the request has been dropped. */
  size: number;
  shown: InspectedRequest | undefined;
  among: KeptRequests;
};

type KeptRequests = {
  readonly count: number;
  add(number: number, seen: Seen): void;
  /** Returns the requests with greater numbers, oldest first. */
  after(number: number): KeptRequest[];
  /** Removes and returns the recorded form, which is kept only until it has been redacted. */
  takeSeen(each: KeptRequest): Seen | undefined;
  /** Stores the redacted form, unless the request has been dropped in the meantime. */
  keepShown(each: KeptRequest, shown: InspectedRequest): void;
  forget(): void;
};

export function keepRequests(): KeptRequests {
  const kept: KeptRequest[] = [];
  let held = 0;

  function drop(count: number): void {
    for (const each of kept.splice(0, count)) resize(each, 0);
  }

  function resize(each: KeptRequest, size: number): void {
    held += size - each.size;
    each.size = size;
  }

  /** Skips requests whose content was dropped to stay within the limit. */
  const latest = (first: number) =>
    kept.slice(Math.max(first, kept.length - keptRequests)).filter(({ seen, shown }) => seen ?? shown);

  const all: KeptRequests = {
    get count() {
      return latest(0).length;
    },
    add(number, seen) {
      const size = sizeOf(seen);
      kept.push({ number, seen, size, shown: undefined, among: all });
      held += size;
      // Many at once, because removing from the front moves all others.
      if (kept.length >= 2 * keptRequests) drop(kept.length - keptRequests);
      else if (held > mostHeld) drop(kept.length >> 1);
    },
    after(number) {
      return latest(kept.findLastIndex((each) => each.number <= number) + 1);
    },
    takeSeen(each) {
      const { seen } = each;
      if (!seen) return undefined;
      each.seen = undefined;
      resize(each, 0);
      return seen;
    },
    keepShown(each, shown) {
      if (each.number < (kept[0]?.number ?? Number.POSITIVE_INFINITY)) return;
      each.shown = shown;
      resize(each, sizeOfShown(shown));
      for (let index = 0; held > mostHeld && kept[index] !== each; index++) {
        const oldest = kept[index];
        if (!oldest) break;
        resize(oldest, 0);
        oldest.seen = undefined;
        oldest.shown = undefined;
      }
    },
    forget() {
      drop(kept.length);
    },
  };
  return all;
}

/** Approximates the size by the length of all texts. */
function sizeOfShown({ path, request, reply, database }: InspectedRequest): number {
  const texts = [
    path,
    request.body,
    reply.body,
    ...request.headers.flat(),
    ...reply.headers.flat(),
    ...database.asked.map(({ sql }) => sql),
  ];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/** Who looks into the server with which program: what else that asks is a console's work, and no client's under test. */

/** So many programs are known at a time, those that looked last. */
const mostPrograms = 100;

type Lookers = {
  /** Told of each request for a part of the workbench. */
  note(request: IncomingMessage, userId: string): void;
  /** Who looks with the program that sent this request; undefined where nobody does. */
  of(request: IncomingMessage): ReadonlySet<string> | undefined;
};

function createLookers(): Lookers {
  const programs = new LRUCache<string, Set<string>>({ max: mostPrograms });
  return {
    note(request, userId) {
      const program = programOf(request);
      const users = programs.get(program) ?? new Set();
      programs.set(program, users.add(userId));
    },
    of: (request) => programs.get(programOf(request)),
  };
}

/** A page's reading of its own server says no origin, and its changes do; the desktop app never says any. */
function programOf({ headers }: IncomingMessage): string {
  const place = headers['sec-fetch-site'] === 'same-origin' ? 'here' : headers.origin;
  return `${place ?? ''} ${headers['user-agent'] ?? ''}`;
}

/** A console's own work: by the session of whoever looks, or without any; or one of its files. */
function isLookers({ url, method, userId, lookers }: Seen): boolean {
  if (url.startsWith('/console/')) return true;
  if (!lookers) return false;
  return userId === null ? method === 'GET' : lookers.has(userId);
}

/** The last requests and their replies, kept in memory while somebody wants to see them. */

/** How often those who watch are told what is new, and for how long each time, in milliseconds. */
const interval = 100;
const share = 4;

export type Inspector = {
  readonly isOn: boolean;
  readonly kept: number;
  turn(on: boolean): void;
  /** The oldest first. */
  after(number: number, limit: number): Promise<InspectedRequest[]>;
  forget(): void;
  /** Calls back for each request after that number, until the function that it gives is called. */
  listen(after: number, listener: (request: InspectedRequest) => void): () => void;
  /** Tells who sends a request, once that is known. */
  noteCaller(request: IncomingMessage, userId: string): void;
  /** Tells who asks for a part of the workbench: what that program asks beside it is kept apart from all else. */
  noteLooker(request: IncomingMessage, userId: string): void;
  /** What answers requests in place of `answer`: that itself, with nothing in between, while it is off. */
  over(answer: RequestListener): RequestListener;
};

type Watching = { after: number; listener: (request: InspectedRequest) => void };

type Context = { config: Config; clock: Clock; log: Log };

/**
 * To take the secrets out of a request takes as long as to answer one: it is done where somebody asks, and for those
 * who watch a moment later, in a small part of the time. Where more comes than can be shown to them, the oldest go.
 */
export function createInspector({ config, clock, log }: Context): Inspector {
  // Numbered together, so that they can be shown as one list.
  const own = keepRequests();
  const others = keepRequests();
  const lookers = createLookers();
  let last = 0;
  const watchers = new Set<Watching>();
  let isOn = false;
  let isScheduled = false;
  let secrets: string[] = [];

  function take(seen: Seen): void {
    if (!isOn || seen.isLook) return;
    (isLookers(seen) ? own : others).add(++last, seen);
    if (watchers.size > 0 && !isScheduled) schedule();
  }

  /** Whoever sent a request must not be able to end the server with it, whatever we have not thought of. */
  function show(each: KeptRequest): InspectedRequest | undefined {
    const seen = each.among.takeSeen(each);
    if (!seen) return each.shown;
    try {
      const shown = describeRequest(each.number, seen, secrets);
      each.among.keepShown(each, shown);
      return shown;
    } catch (error) {
      // Its message may hold what it was about.
      log.error(`inspector: couldn't display request ${each.number}: ${(error as Error).name}`);
    }
    return each.shown;
  }

  function schedule(): void {
    isScheduled = true;
    clock.after(interval, () => {
      isScheduled = false;
      tellUntil(performance.now() + share);
      if ([...watchers].some(({ after }) => after < last)) schedule();
    });
  }

  /** Each request to all who watch before the next one: what is written for one of them is for the others, too. */
  function tellUntil(end: number): void {
    if (watchers.size === 0) return;
    const seenByAll = Math.min(...[...watchers].map(({ after }) => after));
    for (const each of keptAfter(seenByAll)) {
      const shown = show(each);
      for (const watching of watchers) {
        if (watching.after >= each.number) continue;
        watching.after = each.number;
        if (shown) watching.listener(shown);
      }
      if (performance.now() > end) return;
    }
    for (const watching of watchers) watching.after = last;
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
        // Others have their turn in between; what comes meanwhile is for the next time.
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
      // Who watched the server before it began anew knows higher numbers.
      const watching = { after: Math.min(after, last), listener };
      watchers.add(watching);
      if (watching.after < last && !isScheduled) schedule();
      return () => watchers.delete(watching);
    },
    noteCaller(request, userId) {
      const { seen } = request as Watched;
      if (seen) seen.userId = userId;
    },
    noteLooker(request, userId) {
      lookers.note(request, userId);
      // However its address was spelled.
      const { seen } = request as Watched;
      if (seen) seen.isLook = true;
    },
    over: (answer) => (request, response) => {
      // Whoever looks into the server doesn't see himself look.
      if (!isOn || request.url?.startsWith(`${workbench}/`)) return answer(request, response);
      watchRequest(request, response, answer, clock.now(), lookers.of(request), take);
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
