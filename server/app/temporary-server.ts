/**
 * A temporary server: its homeserver is replaced with another one on earlier data, behind the same port. Creating one
 * takes some 20 ms, and leaves nothing of the former one in memory.
 */
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createFaults } from '../administration/testing/faults.ts';
import { copyData, type DataCopy, deleteCopy, putData } from '../administration/testing/snapshot.ts';
import { type ClockState, createTestClock } from '../administration/testing/test-clock.ts';
import type { Testing } from '../administration/testing/testing.ts';
import type { Config } from '../platform/config/config.ts';
import { MatrixError, notFound } from '../platform/core/matrix-error.ts';
import { listen } from '../platform/http/listen.ts';
import { createHomeserver, type Homeserver } from './homeserver.ts';
import type { Services } from './services.ts';

type Snapshot = DataCopy & { clock: ClockState; createdTs: number };

export type TemporaryServer = { readonly url: string; stop(): Promise<void> };

/**
 * Starts a temporary server.
 *
 * @param fill adds its initial data, which a reset restores
 * @throws ConfigurationError
 */
export async function startTemporaryServer(
  config: Config,
  fill: (services: Services) => Promise<void>,
): Promise<TemporaryServer> {
  const clock = createTestClock();
  const faults = createFaults(clock);
  const door = createDoor();
  const folder = join(config.dataDir, 'snapshots');
  const named = new Map<string, Snapshot>();
  let isStopping = false;
  /** One change after the other. */
  let last: Promise<unknown> = Promise.resolve();

  /** @param asking the reply to the request for the change; earlier changes don't wait for it */
  function inTurn<Result>(asking: ServerResponse, work: () => Promise<Result>): Promise<Result> {
    door.outliving.add(asking);
    const done = last.then(work).finally(() => door.outliving.delete(asking));
    last = done.catch(() => {});
    return done;
  }

  const take = async (): Promise<Snapshot> => ({
    ...(await copyData(config, folder)),
    clock: clock.save(),
    createdTs: clock.now(),
  });

  /** @throws MatrixError 400 for a server whose data isn't in files */
  async function goBack(snapshot: Snapshot | MatrixError): Promise<void> {
    if (snapshot instanceof MatrixError) throw snapshot;
    if (isStopping) return;
    await homeserver.stop();
    faults.clear();
    try {
      await putData(config, snapshot);
      clock.restore(snapshot.clock);
      homeserver = await create();
      await homeserver.start();
    } catch (error) {
      // No server could reply with the error.
      process.stderr.write(`gatehouse: ${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    }
  }

  function find(name: string): Snapshot {
    const snapshot = named.get(name);
    if (!snapshot) throw notFound(`No snapshot named ${name}`);
    return snapshot;
  }

  const testing: Testing = {
    clock,
    faults,
    reset: (asking) => inTurn(asking, () => goBack(start)),
    snapshots: () => [...named].map(([name, { createdTs }]) => ({ name, createdTs })),
    save: (name, asking) =>
      inTurn(asking, async () => {
        const snapshot = await take();
        const former = named.get(name);
        named.set(name, snapshot);
        if (former) await deleteCopy(former);
        return { name, createdTs: snapshot.createdTs };
      }),
    restore: (name, asking) => inTurn(asking, async () => goBack(find(name))),
    forget: (name, asking) =>
      inTurn(asking, async () => {
        const snapshot = find(name);
        named.delete(name);
        await deleteCopy(snapshot);
      }),
  };

  const create = () => createHomeserver(config, { clock, isBench: true, testing, listen: door.listen });
  let homeserver: Homeserver = await create();
  let start: Snapshot | MatrixError;
  await homeserver.start();
  try {
    await fill(homeserver.services);
    // A server on PostgreSQL can't be reset.
    start = await take().catch((error) => {
      if (error instanceof MatrixError) return error;
      throw error;
    });
  } catch (error) {
    door.isClosing = true;
    await homeserver.stop();
    throw error;
  }
  return {
    url: homeserver.url,
    async stop() {
      isStopping = true;
      await last;
      door.isClosing = true;
      await homeserver.stop();
    },
  };
}

/** How long requests may take to finish before their homeserver is replaced, in milliseconds. */
const patience = 500;

type HeldRequest = [...Parameters<RequestListener>];

/** Listens once, for consecutive homeservers. Requests that arrive in between wait. */
type Door = {
  listen: typeof listen;
  /** Replies that a change doesn't wait for, because their requests have requested it. */
  outliving: Set<ServerResponse>;
  /** Whether the next homeserver that stops is the last one. */
  isClosing: boolean;
};

function createDoor(): Door {
  let answer: RequestListener | undefined;
  let serving: Awaited<ReturnType<typeof listen>> | undefined;
  let held: HeldRequest[] = [];
  const open = new Set<ServerResponse>();
  let whenQuiet = () => {};

  const enter: RequestListener = (request, response) => {
    if (!answer) return void held.push([request, response]);
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      whenQuiet();
    });
    answer(request, response);
  };

  /** Waits for the open requests, except those that ask for changes. */
  async function leave(): Promise<void> {
    answer = undefined;
    const others = () => [...open].filter((response) => !door.outliving.has(response));
    if (others().length > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        whenQuiet = () => {
          if (others().length > 0) return;
          clearTimeout(timer);
          resolve();
        };
      });
      for (const response of others()) response.destroy();
    }
    open.clear();
  }

  const door: Door = {
    outliving: new Set(),
    isClosing: false,
    async listen(listeners, handler, options) {
      serving ??= await listen(listeners, enter, options);
      const { urls, close } = serving;
      answer = handler;
      const waiting = held;
      held = [];
      for (const each of waiting) enter(...each);
      return { urls, close: () => (door.isClosing ? close() : leave()) };
    },
  };
  return door;
}
