/**
 * Sends notifications to the gateways that people have named, each pusher's in their order. What is on its way is in
 * the database: it goes on after a restart, and in another process where this one dies.
 */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Network } from '../config/outgoing.ts';
import { waitAtMost } from '../core/clock.ts';
import { type OutgoingReply, sendOutgoing } from '../http/outgoing.ts';
import { settledPlace } from '../rooms/settled-place.ts';
import { listNotifications, readPlaces } from './notification-list-store.ts';
import { createWorker, type DutyContext, type Worker } from './on-duty.ts';
import { emptyBadge, noteFor } from './push-note.ts';
import { deletePusher, findPusher, listPushersOf, type Pusher, updatePusher } from './pusher-store.ts';
import { gatewayOf } from './pushers.ts';

/** The shortest time from one look to the next, in milliseconds: in a busy room many messages come in that. */
const gathering = 100;
/** How many gateways are called at once, and how many of them for one user. */
const calledAtOnce = 100;
const calledForOne = 2;
/** How long a look waits for what it has begun, in milliseconds: gateways are anyone's, and may never answer. */
const patienceOfLook = 1_000;
const pushersAtOnce = 100;
const notificationsAtOnce = 20;
/** How long a gateway may take, in milliseconds. */
const patience = 20_000;
/** The pause after the first failure, in milliseconds; each further one is twice as long. */
const firstPause = 1_000;
const longestPause = 60 * 60_000;
/** What could not be delivered in this time is worth nothing any more, in milliseconds. */
const staleAfter = 24 * 60 * 60_000;
/** How long nothing is asked that nobody has woken for, in milliseconds. */
const quiet = 60_000;
/** A pusher that is so many events behind, without one for its user among them, is brought up to date. */
const farBehind = 10_000;

type Context = DutyContext & { config: { callableNetworks: readonly Network[] } };

/** @param process tells this process from others */
export function createPushDelivery(context: Context, process: string): Worker {
  const { db, clock, log, notifier } = context;
  const limit = pLimit(calledAtOnce);
  const limitsOf = new Map<string, LimitFunction>();
  /** By pusher; and those that were to be looked at meanwhile. */
  const underWay = new Map<number, Promise<void>>();
  const again = new Set<number>();
  let [rooms, users] = [new Set<string>(), new Set<string>()];
  /** At first, and where a wake was missed, everybody is looked at. */
  let isAllDue = true;
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
    return Math.max(0, Math.min(nextRetry - clock.now(), isBusy ? patienceOfLook : quiet));
  };

  async function begin({ id, userId }: Pusher, work: () => Promise<number>): Promise<void> {
    if (underWay.has(id)) {
      again.add(id);
      return;
    }
    const own = limitsOf.get(userId) ?? pLimit(calledForOne);
    limitsOf.set(userId, own);
    const done = own(() => limit(work))
      .then(
        (retryTs) => {
          if (retryTs > 0) nextRetry = Math.min(nextRetry, retryTs);
        },
        (err: unknown) => {
          again.add(id);
          log.warn({ err }, `A pusher of ${userId} can't go on for now:`);
        },
      )
      .finally(() => {
        underWay.delete(id);
        if (again.delete(id)) users.add(userId);
        if (own.activeCount + own.pendingCount === 0) limitsOf.delete(userId);
      });
    underWay.set(id, done);
    return done;
  }

  return createWorker(
    context,
    { duty: 'push', process, gathering },
    async (signal, givingUp) => {
      const isAll = isAllDue || clock.now() >= nextRetry;
      const of = isAll ? undefined : { roomIds: [...rooms], userIds: [...users] };
      [rooms, users, isAllDue] = [new Set(), new Set(), false];
      if (isAll) nextRetry = clock.now() + quiet;
      else if (of?.roomIds.length === 0 && of.userIds.length === 0) return nextLook();
      const upTo = await settledPlace(db);
      for (let afterId = 0; !signal.aborted; ) {
        const pushers = await listPushersOf(db, { of, afterId, limit: pushersAtOnce });
        const begun = pushers.map(async (pusher) => {
          if (pusher.retryTs > clock.now()) nextRetry = Math.min(nextRetry, pusher.retryTs);
          else await begin(pusher, () => deliver(context, pusher, upTo, signal, givingUp));
        });
        await waitAtMost(clock, patienceOfLook, Promise.all(begun));
        afterId = pushers.at(-1)?.id ?? 0;
        if (pushers.length < pushersAtOnce) break;
      }
      return nextLook();
    },
    settle,
  );
}

/** Delivers what a pusher has not had yet; gives when to try again, or 0. */
async function deliver(
  context: Context,
  pusher: Pusher,
  upTo: number,
  signal: AbortSignal,
  givingUp: AbortSignal,
): Promise<number> {
  const { db, clock } = context;
  let { place, attempts, badged } = pusher;
  for (;;) {
    if (signal.aborted) return 0;
    const range = {
      userId: pusher.userId,
      after: place,
      upTo,
      direction: 'f',
      limit: notificationsAtOnce,
    } as const;
    const { notifications, reached } = await listNotifications(db, range);
    const isRead = await readPlaces(
      db,
      pusher.userId,
      notifications.map(({ roomId }) => roomId),
    );
    for (const notification of notifications) {
      if (signal.aborted) return 0;
      // Gateways are slow: meanwhile somebody may have logged out, or named another one.
      const now = await findPusher(db, pusher.id);
      if (!now || now.place > place) return 0;
      const seen = isRead(notification.roomId, notification.threadId) >= notification.place;
      const body = seen ? undefined : await noteFor(db, now, notification, clock.now() - staleAfter);
      const outcome = body === undefined ? 'delivered' : await send(context, now, body, givingUp);
      if (outcome === 'rejected') {
        await deletePusher(db, now);
        return 0;
      }
      if (outcome === 'failed') {
        // What was given up says nothing of the gateway.
        if (givingUp.aborted) return 0;
        const retryTs = clock.now() + Math.min(longestPause, firstPause * 2 ** attempts);
        await updatePusher(db, pusher.id, { place, attempts: attempts + 1, retryTs, badged });
        return retryTs;
      }
      [place, attempts, badged] = [notification.place, 0, badged || body !== undefined];
      await updatePusher(db, pusher.id, { place, attempts, retryTs: 0, badged });
    }
    if (reached >= upTo) break;
    // What notifies others alone is not looked at again.
    place = Math.max(place, reached);
    await updatePusher(db, pusher.id, { place, attempts, retryTs: 0, badged });
  }
  if (badged && !signal.aborted) {
    const body = await emptyBadge(db, pusher);
    const now = body && (await findPusher(db, pusher.id));
    // One that doesn't get through goes the next time that something happens.
    if (now && (await send(context, now, body, givingUp)) === 'delivered') {
      badged = false;
      await updatePusher(db, pusher.id, { place, attempts, retryTs: 0, badged });
    }
  }
  if (upTo - place > farBehind) {
    await updatePusher(db, pusher.id, { place: upTo, attempts, retryTs: 0, badged });
  }
  return 0;
}

async function send(
  { config, log }: Context,
  pusher: Pusher,
  body: string,
  signal: AbortSignal,
): Promise<'delivered' | 'rejected' | 'failed'> {
  try {
    const reply = await sendOutgoing(gatewayOf(pusher.content.data), {
      method: 'POST',
      body,
      timeoutMs: patience,
      signal,
      onlyPublicOr: config.callableNetworks,
    });
    if (reply.status < 200 || reply.status > 299) return 'failed';
    return rejects(reply, pusher.pushkey) ? 'rejected' : 'delivered';
  } catch (err) {
    log.info({ err }, `The push gateway of ${pusher.userId} can't be reached:`);
    return 'failed';
  }
}

/** Whether a gateway says that a key is good for nothing any more. */
function rejects({ body }: OutgoingReply, pushkey: string): boolean {
  try {
    const { rejected } = JSON.parse(body) as { rejected?: unknown };
    return Array.isArray(rejected) && rejected.includes(pushkey);
  } catch {
    return false;
  }
}
