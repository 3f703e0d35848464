/**
 * Sends notifications to the gateways that people have named, each pusher's in their order. What is on its way is in
 * the database: it goes on after a restart, and in another process where this one dies.
 */
import { createWorker, type Worker } from '../../platform/cluster/worker.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import { waitAtMost } from '../../platform/core/clock.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import { deliver, longestPause, type PushContext } from './push-to-gateway.ts';
import { listPushersOf, type Pusher } from './pusher-store.ts';
import { gatewayOf } from './pushers.ts';

/** The shortest time from one look to the next, in milliseconds: in a busy room many messages come in that. */
const gathering = 100;
/** Concurrent calls, and how many of them for one user. */
const maxCalls = 1_000;
const maxCallsPerUser = 2;
/** Per host, since many users may have named one that never answers. */
const maxCallsPerHost = 100;
/** Calls to gateways whose last call failed. */
const retryLimits = { total: 100, perKey: 20 };
/** How many calls start at the same time; one counts until it ends, or for so many milliseconds. */
const maxStarting = 100;
const startingTime = 1_000;
/** How long a look waits for what it has begun, in milliseconds: gateways are anyone's, and may never answer. */
const patienceOfLook = 1_000;
const pushersAtOnce = 100;
/** How long nothing is asked that nobody has woken for, in milliseconds. */
const quiet = 60_000;

export function createPushDelivery(context: PushContext): Worker {
  const { db, clock, log, notifier } = context;
  const byUser = createLimiter({ perKey: maxCallsPerUser });
  const byHost = createLimiter({ perKey: maxCallsPerHost });
  const retries = createLimiter(retryLimits);
  const starting = createLimiter({ total: maxStarting });
  const calls = createLimiter({ total: maxCalls });
  /** By pusher; and those that were to be looked at meanwhile. */
  const underWay = new Map<number, Promise<void>>();
  const again = new Set<number>();
  let [rooms, users] = [new Set<string>(), new Set<string>()];
  /** At first, and where a wake was missed, everybody is looked at. */
  let isAllDue = true;
  /** By the monotonic clock. */
  let nextRetry = 0;
  const note = (dirty: () => Set<string>) => (key: string | undefined) => {
    if (key === undefined || dirty().size > 10_000) isAllDue = true;
    else dirty().add(key);
  };
  notifier.listen(
    'rooms',
    note(() => rooms),
  );
  notifier.listen(
    'users',
    note(() => users),
  );

  const settle = async () => void (await Promise.all(underWay.values()));
  const nextLook = () => {
    // Users are there for whom something came while they were delivered to: nothing wakes for them.
    const isBusy = underWay.size > 0 || users.size > 0;
    return Math.max(0, Math.min(nextRetry - clock.monotonic(), isBusy ? patienceOfLook : quiet));
  };

  function retryIn(milliseconds: number): void {
    nextRetry = Math.min(nextRetry, clock.monotonic() + milliseconds);
  }

  /** Retries delay only each other; first attempts delay each other, and not for long. */
  function inTurn({ attempts, content }: Pusher, work: () => Promise<number>): Promise<number> {
    const { hostname } = gatewayOf(content.data);
    if (attempts > 0) return retries.run(hostname, () => calls.run(hostname, work));
    return byHost.run(hostname, () => start(hostname, work));
  }

  function start(hostname: string, work: () => Promise<number>): Promise<number> {
    return new Promise((resolve, reject) => {
      void starting.run(hostname, () => {
        const call = calls.run(hostname, work);
        call.then(resolve, reject);
        return waitAtMost(clock, startingTime, call);
      });
    });
  }

  async function begin(pusher: Pusher, work: () => Promise<number>): Promise<void> {
    const { id, userId } = pusher;
    if (underWay.has(id)) {
      again.add(id);
      return;
    }
    const done = byUser
      .run(userId, async () => inTurn(pusher, work))
      .then(
        (retryTs) => {
          if (retryTs > 0) retryIn(retryTs - clock.now());
        },
        (err: unknown) => {
          again.add(id);
          log.warn({ err }, `push: delivery to a pusher of ${userId} failed, retrying:`);
        },
      )
      .finally(() => {
        underWay.delete(id);
        if (again.delete(id)) users.add(userId);
      });
    underWay.set(id, done);
    return done;
  }

  return createWorker(
    context,
    { name: 'push', topics: ['rooms', 'users'], gathering },
    async (signal, givingUp) => {
      const isAll = isAllDue || clock.monotonic() >= nextRetry;
      const of = isAll ? undefined : { roomIds: [...rooms], userIds: [...users] };
      [rooms, users, isAllDue] = [new Set(), new Set(), false];
      if (isAll) nextRetry = clock.monotonic() + quiet;
      else if (of?.roomIds.length === 0 && of.userIds.length === 0) return nextLook();
      const upTo = await settledEventPosition(db);
      for (let afterId = 0; !signal.aborted; ) {
        const pushers = await listPushersOf(db, { of, afterId, limit: pushersAtOnce });
        const all = pushers.map(async (pusher) => {
          const pause = pusher.retryTs - clock.now();
          // What is further ahead than any pause was said by a clock that has been set back since.
          if (pause > 0 && pause <= longestPause) retryIn(pause);
          else await begin(pusher, () => deliver(context, pusher, upTo, signal, givingUp));
        });
        await waitAtMost(clock, patienceOfLook, Promise.all(all));
        afterId = pushers.at(-1)?.id ?? 0;
        if (pushers.length < pushersAtOnce) break;
      }
      return nextLook();
    },
    settle,
  );
}
