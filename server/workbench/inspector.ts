/** The last requests and their replies, kept in memory while somebody wants to see them. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { type InspectedRequest, keptRequests } from '../../shared/workbench/inspector.ts';
import { workbench } from '../../shared/workbench/paths.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { secretsOf } from './strike-out.ts';
import { watchRequest } from './watch-request.ts';

export type Inspector = {
  readonly isOn: boolean;
  readonly kept: number;
  turn(on: boolean): void;
  /** The oldest first. */
  after(number: number, limit: number): InspectedRequest[];
  forget(): void;
  /** Calls back for each request from now on, until the function that it gives is called. */
  listen(listener: (request: InspectedRequest) => void): () => void;
  /** Tells who sends a request, once that is known. */
  noteCaller(request: IncomingMessage, userId: string): void;
  /** What answers requests in place of `answer`: that itself, with nothing in between, while it is off. */
  over(answer: RequestListener): RequestListener;
};

export function createInspector(config: Config, clock: Clock): Inspector {
  const requests: InspectedRequest[] = [];
  const listeners = new Set<(request: InspectedRequest) => void>();
  let callers = new WeakMap<IncomingMessage, string>();
  let last = 0;
  let isOn = false;
  let secrets: string[] = [];

  function keep(request: InspectedRequest): void {
    requests.push(request);
    // Now and then, because to take one from the front moves all the others.
    if (requests.length >= 2 * keptRequests) requests.splice(0, requests.length - keptRequests);
    for (const listener of [...listeners]) listener(request);
  }
  const kept = () => requests.slice(-keptRequests);

  return {
    get isOn() {
      return isOn;
    },
    get kept() {
      return Math.min(requests.length, keptRequests);
    },
    turn(on) {
      isOn = on;
      secrets = secretsOf(config);
    },
    after: (number, limit) =>
      kept()
        .filter((request) => request.number > number)
        .slice(0, limit),
    forget() {
      requests.length = 0;
      callers = new WeakMap();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    noteCaller(request, userId) {
      if (isOn) callers.set(request, userId);
    },
    over: (answer) => (request, response) => {
      // Whoever looks into the server doesn't see himself look.
      if (!isOn || request.url?.startsWith(`${workbench}/`)) return answer(request, response);
      watchRequest(request, response, answer, {
        secrets,
        now: clock.now(),
        done(watched) {
          if (!isOn) return;
          keep({ number: ++last, ...watched, user_id: callers.get(request) ?? null });
        },
      });
    },
  };
}
