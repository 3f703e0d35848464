/** The last requests and their replies, kept in memory while somebody wants to see them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { InspectedRequest } from '../../shared/workbench/inspector.ts';
import { workbench } from '../../shared/workbench/paths.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import { describeRequest } from './describe-request.ts';
import { type KeptRequest, keepRequests } from './kept-requests.ts';
import { createLookers, isLookers } from './lookers.ts';
import { type Seen, type Watched, watchRequest } from './watch-request.ts';

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
