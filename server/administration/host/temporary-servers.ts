/** Temporary servers beside the built-in one, by name. Their data is deleted when they stop. */
import { ConnectionFailure } from '../../../shared/connection.ts';
import type { SentenceValues } from '../../../shared/sentence.ts';
import type { TemporaryServer } from '../../../shared/workbench/host.ts';

/** Each takes some hundred megabytes of memory. */
const most = 20;

export type RunningTemporaryServer = {
  server: TemporaryServer;
  /** Resolves when the server has ended and its data is deleted. */
  stop(): Promise<void>;
};

/**
 * Starts a server in its own process, which ends with this one.
 *
 * @param whenGone called when it has ended, by `stop` or otherwise
 * @throws Error with a sentence if it doesn't start
 */
export type StartTemporaryServer = (
  name: string,
  whenGone: () => void,
  sampleData?: boolean,
) => Promise<RunningTemporaryServer>;

export type TemporaryServers = ReturnType<typeof createTemporaryServers>;

/** Refusals are ConnectionFailures `refused`. */
export function createTemporaryServers(launch: StartTemporaryServer) {
  const running = new Map<string, RunningTemporaryServer>();
  const taken = new Set<string>();
  const starting = new Set<Promise<unknown>>();
  let isEnding = false;

  async function start(wanted: string | undefined, sampleData: boolean): Promise<TemporaryServer> {
    const name = wanted ?? freeName(taken);
    if (isEnding) throw refused(/*i18n*/ "Can't start a server: the app is quitting.", {});
    if (taken.has(name)) {
      throw refused(/*i18n*/ 'A server named {name} exists. Choose another name.', { name });
    }
    if (taken.size >= most) {
      throw refused(/*i18n*/ '{most} servers are already running. Stop one first.', { most });
    }
    taken.add(name);
    let isGone = false;
    /** Only once: another server may have the name later. */
    const forget = () => {
      if (isGone) return;
      isGone = true;
      running.delete(name);
      taken.delete(name);
    };
    try {
      const started = await launch(name, forget, sampleData);
      if (!isGone) running.set(name, started);
      return started.server;
    } catch (error) {
      forget();
      throw error;
    }
  }

  function startNoted(wanted?: string, sampleData = false): Promise<TemporaryServer> {
    const started = start(wanted, sampleData);
    const end = started.catch(() => {}).finally(() => starting.delete(end));
    starting.add(end);
    return started;
  }

  async function stop(name: string): Promise<void> {
    const found = running.get(name);
    if (!found) throw refused(/*i18n*/ 'No server named {name}.', { name });
    await found.stop();
  }

  return {
    start: startNoted,
    stop,
    list: async () => [...running.values()].map(({ server }) => server),
    /** Also stops servers that are starting, and prevents new ones. */
    async stopAll(): Promise<void> {
      isEnding = true;
      await Promise.allSettled(starting);
      await Promise.all([...running.keys()].map(stop));
    },
  };
}

const refused = (sentence: string, values: SentenceValues) =>
  new ConnectionFailure('refused', sentence, values);

function freeName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) if (!taken.has(`server-${number}`)) return `server-${number}`;
}
