/**
 * Sends events to application services in transactions, one at a time for each. The current transaction is stored in
 * the database: after a failure or restart it is sent again unchanged. Matrix specification, application service API,
 * "Pushing events".
 */
import type { AppService, AppServices } from '../../identity/accounts/app-services.ts';
import { findUser } from '../../identity/accounts/user-store.ts';
import { createWorker, type Worker, type WorkerContext } from '../../platform/cluster/worker.ts';
import { chunks } from '../../platform/concurrency/yield.ts';
import { type StreamPositions, settledPositions } from '../../platform/database/changes.ts';
import { findAppServiceProgress, setAppServiceProgress } from './app-service-progress-store.ts';
import { callAppService } from './app-service-request.ts';
import { nextTransaction } from './app-service-transaction.ts';

/** The pause after the first failure, in milliseconds; each further one is twice as long. */
const firstPause = 1_000;
const longestPause = 8 * 60_000;
/** The position is saved after this many events and changes that don't concern the service. */
const savedEvery = 2_000;
/** Concurrent queries for users, and how long a service may take to create one, in milliseconds. */
const queriesAtOnce = 20;
const userTimeout = 10_000;
/** How often to look without a wake, in milliseconds. */
const pollInterval = 30_000;

type DeliveryContext = WorkerContext & {
  appServices: AppServices;
  config: { useAppServiceLegacyAuthorization: boolean };
};

export function createAppServiceDelivery(context: DeliveryContext): Worker {
  const workers = context.appServices.all
    .filter(({ config }) => config.url !== undefined)
    .map((service) =>
      createWorker(
        context,
        { name: `application service ${service.id}`, topics: ['rooms', 'users'] },
        createWork(context, service),
      ),
    );
  return {
    start(ownership) {
      for (const worker of workers) worker.start(ownership);
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

function createWork(context: DeliveryContext, service: AppService): (signal: AbortSignal) => Promise<number> {
  const { db, clock, log, config } = context;
  const legacy = config.useAppServiceLegacyAuthorization;
  /** Users that needn't be queried again: they exist, or the service doesn't know them. */
  const queried = new Set<string>();
  /** Nothing up to here concerns the service. */
  let skipped: StreamPositions = { events: 0, changes: 0 };

  /** A service may create its users when they are first invited. */
  async function queryUsers(userIds: readonly string[], signal: AbortSignal): Promise<void> {
    const unknown = [...new Set(userIds)].filter((userId) => !queried.has(userId));
    for (const chunk of chunks(unknown, queriesAtOnce)) {
      if (signal.aborted) return;
      await Promise.all(chunk.map((userId) => queryUser(userId, signal)));
    }
    if (queried.size > 10_000) queried.clear();
  }

  async function queryUser(userId: string, signal: AbortSignal): Promise<void> {
    if (await findUser(db, userId)) return;
    queried.add(userId);
    const path = `/_matrix/app/v1/users/${encodeURIComponent(userId)}`;
    const request = { method: 'GET' as const, path, timeoutMs: userTimeout };
    const reply = await callAppService(service.config, request, { legacy, signal }).catch(() => undefined);
    if (!reply || reply.status >= 500) queried.delete(userId);
  }

  return async (signal) => {
    for (;;) {
      const settled = await settledPositions(db);
      let progress = await findAppServiceProgress(db, service.id, settled);
      if (progress.body === undefined) {
        const after = later(progress.delivered, skipped);
        const { body, reached, invited } = await nextTransaction(context, service, after, settled);
        if (body === undefined) {
          skipped = reached;
          const behind =
            reached.events - progress.delivered.events + reached.changes - progress.delivered.changes;
          if (behind > savedEvery)
            await setAppServiceProgress(db, service.id, { ...progress, delivered: reached });
          if (reached.events >= settled.events && reached.changes >= settled.changes) return pollInterval;
          continue;
        }
        await queryUsers(invited, signal);
        progress = { ...progress, number: progress.number + 1, body, next: reached, attempts: 0, retryTs: 0 };
        await setAppServiceProgress(db, service.id, progress);
      }
      const pause = progress.retryTs - clock.now();
      // A longer pause comes from a clock that has been set back since.
      if (pause > 0 && pause <= longestPause) return pause;
      const arrived = await send(progress.number, progress.body ?? '', signal);
      if (signal.aborted) return 0;
      if (!arrived) {
        const retryTs = clock.now() + Math.min(longestPause, firstPause * 2 ** progress.attempts);
        await setAppServiceProgress(db, service.id, {
          ...progress,
          attempts: progress.attempts + 1,
          retryTs,
        });
        return retryTs - clock.now();
      }
      const { next: delivered } = progress;
      await setAppServiceProgress(db, service.id, {
        ...progress,
        delivered,
        body: undefined,
        attempts: 0,
        retryTs: 0,
      });
    }
  };

  async function send(number: number, body: string, signal: AbortSignal): Promise<boolean> {
    try {
      const path = `/_matrix/app/v1/transactions/${number}`;
      const { status } = await callAppService(
        service.config,
        { method: 'PUT', path, body },
        { legacy, signal },
      );
      if (status >= 200 && status < 300) return true;
      log.warn(`application service ${service.id}: transaction ${number} failed: status ${status}`);
    } catch (err) {
      if (!signal.aborted)
        log.warn({ err }, `application service ${service.id}: couldn't send a transaction:`);
    }
    return false;
  }
}

const later = (one: StreamPositions, other: StreamPositions): StreamPositions => ({
  events: Math.max(one.events, other.events),
  changes: Math.max(one.changes, other.changes),
});
