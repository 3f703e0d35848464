/** Bounds how many calls of one user, and of all of them, are under way at once, where a route declares that. */
import { MatrixError } from '../core/matrix-error.ts';
import { DatabaseFault } from '../database/fault.ts';
import type { AtOnce } from './policy.ts';
import type { App } from './routes.ts';

type Turn = { begin(): void; refuse(error: unknown): void };

/** The calls under one name. */
type Calls = {
  underWay: number;
  byUser: Map<string, number>;
  /** Who waits for a turn, by user; whose turn comes first stands first. */
  waiting: Map<string, Turn[]>;
};

/** Holds the routes that the app gets from now on to their bounds: a call counts for as long as its handler runs. */
export function boundCallsAtOnce(app: App): void {
  const byName = new Map<string, Calls>();

  app.addHook('onRoute', (route) => {
    const policy = route.config?.policy;
    if (!policy || policy.access === 'anyone' || !policy.atOnce) return;
    const { atOnce } = policy;
    const calls = byName.get(atOnce.name) ?? { underWay: 0, byUser: new Map(), waiting: new Map() };
    byName.set(atOnce.name, calls);
    const { handler } = route;
    route.handler = async function (request, reply) {
      const { userId } = request.requester;
      const hasWaited = await enter(calls, atOnce, userId);
      try {
        // Whoever has gone meanwhile, such as when the server stops, reads no reply; what they write counts.
        if (hasWaited && request.method === 'GET' && reply.raw.destroyed) return void reply.hijack();
        return await handler.call(this, request, reply);
      } catch (error) {
        if (isAway(error)) refuseWaiting(calls, error);
        throw error;
      } finally {
        leave(calls, atOnce, userId);
      }
    };
  });
}

const isAway = (error: unknown) =>
  error instanceof DatabaseFault && (error.kind === 'unavailable' || error.kind === 'held');

/** Each would wait as long as the one before to learn the same. */
function refuseWaiting({ waiting }: Calls, error: unknown): void {
  const turns = [...waiting.values()].flat();
  waiting.clear();
  for (const { refuse } of turns) refuse(error);
}

/**
 * @returns whether it had to wait
 * @throws MatrixError 429; what one before it met, where that is that the database is away
 */
async function enter(calls: Calls, atOnce: AtOnce, userId: string): Promise<boolean> {
  if (mayBegin(calls, atOnce, userId)) {
    begin(calls, userId);
    return false;
  }
  const own = calls.waiting.get(userId) ?? [];
  if (own.length >= (atOnce.waiting ?? 0)) {
    throw new MatrixError(429, 'M_LIMIT_EXCEEDED', atOnce.refusal, { retry_after_ms: 1000 });
  }
  calls.waiting.set(userId, own);
  await new Promise<void>((begin, refuse) => own.push({ begin, refuse }));
  return true;
}

function leave(calls: Calls, atOnce: AtOnce, userId: string): void {
  calls.underWay--;
  const left = (calls.byUser.get(userId) ?? 0) - 1;
  if (left > 0) calls.byUser.set(userId, left);
  else calls.byUser.delete(userId);
  for (const [name, own] of calls.waiting) {
    if (!mayBegin(calls, atOnce, name)) continue;
    begin(calls, name);
    own.shift()?.begin();
    // Whoever had a turn stands behind everyone else.
    calls.waiting.delete(name);
    if (own.length > 0) calls.waiting.set(name, own);
  }
}

const mayBegin = (
  { underWay, byUser }: Calls,
  { calls, ofAll = Number.POSITIVE_INFINITY }: AtOnce,
  userId: string,
) => (byUser.get(userId) ?? 0) < calls && underWay < ofAll;

function begin(calls: Calls, userId: string): void {
  calls.underWay++;
  calls.byUser.set(userId, (calls.byUser.get(userId) ?? 0) + 1);
}
