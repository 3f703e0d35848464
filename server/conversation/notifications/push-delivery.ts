/**
 * Delivers notifications to push gateways, in order for each pusher. Progress is in the database, so that delivery resumes
 * after a restart, or in another process.
 */
import { createWorker, type Worker } from '../../platform/cluster/worker.ts';
import { createLimiter } from '../../platform/concurrency/limiter.ts';
import { waitAtMost } from '../../platform/core/clock.ts';
import { settledEventPosition } from '../../platform/database/changes.ts';
import { deliver, longestPause, type PushContext } from './push-to-gateway.ts';
import { listPushersOf, type Pusher } from './pusher-store.ts';
import { gatewayOf } from './pushers.ts';

/** Shortest time between two runs, in milliseconds: busy rooms get many messages in that time. */
const gathering = 100;
/** Concurrent calls, and how many of them to one host: many users may have named one that never answers. */
const callLimits = { total: 1_000, perKey: 100 };
/** How long a run waits for its deliveries, in milliseconds: gateways may never answer. */
const runTimeout = 1_000;
const pushersAtOnce = 100;
/** How often all pushers are checked without a wake, in milliseconds. */
const pollInterval = 60_000;

export function createPushDelivery(context: PushContext): Worker {
  const { db, clock, log, notifier } = context;
  const calls = createLimiter(callLimits);
  /** By pusher ID; and those that have to be checked again after that. */
  const underWay = new Map<number, Promise<void>>();
  const again = new Set<number>();
  let [rooms, users] = [new Set<string>(), new Set<string>()];
  /** True at the start and after a missed wake. */
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
  const nextRun = () => {
    // `users` may contain some whose delivery was running when they were due; nothing wakes for them.
    const isBusy = underWay.size > 0 || users.size > 0;
    return Math.max(0, Math.min(nextRetry - clock.monotonic(), isBusy ? runTimeout : pollInterval));
  };

  function retryIn(milliseconds: number): void {
    nextRetry = Math.min(nextRetry, clock.monotonic() + milliseconds);
  }

  async function begin({ id, userId, content }: Pusher, work: () => Promise<number>): Promise<void> {
    if (underWay.has(id)) {
      again.add(id);
      return;
    }
    const { hostname } = gatewayOf(content.data);
    const done = calls
      .run(hostname, work)
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
      if (isAll) nextRetry = clock.monotonic() + pollInterval;
      else if (of?.roomIds.length === 0 && of.userIds.length === 0) return nextRun();
      const upTo = await settledEventPosition(db);
      for (let afterId = 0; !signal.aborted; ) {
        const pushers = await listPushersOf(db, { of, afterId, limit: pushersAtOnce });
        const all = pushers.map(async (pusher) => {
          const pause = pusher.retryTs - clock.now();
          // A longer pause comes from a clock that has been set back since.
          if (pause > 0 && pause <= longestPause) retryIn(pause);
          else await begin(pusher, () => deliver(context, pusher, upTo, signal, givingUp));
        });
        await waitAtMost(clock, runTimeout, Promise.all(all));
        afterId = pushers.at(-1)?.id ?? 0;
        if (pushers.length < pushersAtOnce) break;
      }
      return nextRun();
    },
    settle,
  );
}
