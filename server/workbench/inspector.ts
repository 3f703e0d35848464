/** The last requests and their replies, kept in memory while somebody wants to see them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { type InspectedRequest, keptRequests } from '../../shared/workbench/inspector.ts';
import { workbench } from '../../shared/workbench/paths.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { breathe } from '../core/event-loop-turns.ts';
import type { Log } from '../core/log.ts';
import { describeRequest } from './describe-request.ts';
import { secretsOf } from './strike-out.ts';
import { type Seen, type Watched, watchRequest } from './watch-request.ts';

/** How often what was seen is described, and for how long each time, in milliseconds. */
const interval = 100;
const share = 4;
/** As much of what was seen waits to be described, in bytes of bodies. */
const mostWaiting = 32 * 1024 * 1024;

export type Inspector = {
  readonly isOn: boolean;
  readonly kept: number;
  turn(on: boolean): void;
  /** The oldest first. */
  after(number: number, limit: number): Promise<InspectedRequest[]>;
  forget(): void;
  /** Calls back for each request from now on, until the function that it gives is called. */
  listen(listener: (request: InspectedRequest) => void): () => void;
  /** Tells who sends a request, once that is known. */
  noteCaller(request: IncomingMessage, userId: string): void;
  /** What answers requests in place of `answer`: that itself, with nothing in between, while it is off. */
  over(answer: RequestListener): RequestListener;
};

type Context = { config: Config; clock: Clock; log: Log };
type Waiting = { number: number; seen: Seen };

/**
 * To take the secrets out of a request takes as long as to answer one. It is done a moment later, in a small part of
 * the time, or when somebody asks; where more comes than can be described, the oldest go.
 */
export function createInspector({ config, clock, log }: Context): Inspector {
  const requests: InspectedRequest[] = [];
  const listeners = new Set<(request: InspectedRequest) => void>();
  let waiting: Waiting[] = [];
  let waitingBytes = 0;
  let last = 0;
  let isOn = false;
  let isScheduled = false;
  let secrets: string[] = [];

  function take(seen: Seen): void {
    if (!isOn) return;
    waiting.push({ number: ++last, seen });
    waitingBytes += bytesOf(seen);
    if (waiting.length >= 2 * keptRequests) setWaiting(waiting.slice(-keptRequests));
    else if (waitingBytes > mostWaiting) setWaiting(waiting.slice(waiting.length / 2));
    if (!isScheduled) schedule();
  }

  function setWaiting(left: Waiting[]): void {
    waiting = left;
    waitingBytes = left.reduce((sum, { seen }) => sum + bytesOf(seen), 0);
  }

  function schedule(): void {
    isScheduled = true;
    clock.after(interval, () => {
      describeFor(share);
      isScheduled = false;
      if (waiting.length > 0) schedule();
    });
  }

  /** For so many milliseconds at the most. */
  function describeFor(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    let described = 0;
    for (const { number, seen } of waiting) {
      if (performance.now() > end) break;
      described++;
      tryToKeep(number, seen);
    }
    setWaiting(waiting.slice(described));
  }

  /** Whoever sent a request must not be able to end the server with it, whatever we have not thought of. */
  function tryToKeep(number: number, seen: Seen): void {
    try {
      keep(describeRequest(number, seen, secrets));
    } catch (error) {
      // Its message may hold what it was about.
      log.error(`Request ${number} can't be shown by the inspector: ${(error as Error).name}`);
    }
  }

  function keep(request: InspectedRequest): void {
    requests.push(request);
    // Now and then, because to take one from the front moves all the others.
    if (requests.length >= 2 * keptRequests) requests.splice(0, requests.length - keptRequests);
    for (const listener of [...listeners]) listener(request);
  }

  return {
    get isOn() {
      return isOn;
    },
    get kept() {
      return Math.min(requests.length + waiting.length, keptRequests);
    },
    turn(on) {
      isOn = on;
      secrets = secretsOf(config);
    },
    async after(number, limit) {
      // Others have their turn in between; what comes meanwhile is for the next time.
      for (let until = last; (waiting[0]?.number ?? until + 1) <= until; ) {
        describeFor(share);
        await breathe();
      }
      return requests
        .slice(-keptRequests)
        .filter((request) => request.number > number)
        .slice(0, limit);
    },
    forget() {
      requests.length = 0;
      setWaiting([]);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    noteCaller(request, userId) {
      const { seen } = request as Watched;
      if (seen) seen.userId = userId;
    },
    over: (answer) => (request, response) => {
      // Whoever looks into the server doesn't see himself look.
      if (!isOn || request.url?.startsWith(`${workbench}/`)) return answer(request, response);
      watchRequest(request, response, answer, clock.now(), take);
    },
  };
}

const bytesOf = ({ asked, answered }: Seen) => asked.size + answered.size;
