/** Servers whose data goes when they stop, each a process of its own; they go with the program that started them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { Value } from 'typebox/value';
import { Throwaway } from '../../shared/workbench/host.ts';

/** As many may run at once: each has some hundred megabytes. */
const most = 20;

type Running = { child: ChildProcess; server: Throwaway };

/** @param command the command line that runs `gatehouse` */
export function createThrowaways([program, ...args]: readonly [string, ...string[]]) {
  const running = new Map<string, Running>();
  const taken = new Set<string>();

  async function start(wanted?: string): Promise<Throwaway> {
    const name = wanted ?? freeName(taken);
    if (taken.has(name)) throw new Error(`There is a server called ${name} already: choose another name`);
    if (taken.size >= most) throw new Error(`${most} servers are running already: stop one of them first`);
    taken.add(name);
    try {
      const child = spawn(program, [...args, 'serve', '--temporary', '--json', '--name', name], {
        // The last one tells it that this process has gone, however that ends.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      const server = await readFacts(child);
      running.set(name, { child, server });
      child.once('exit', () => {
        running.delete(name);
        taken.delete(name);
      });
      return server;
    } catch (error) {
      taken.delete(name);
      throw error;
    }
  }

  async function stop(name: string): Promise<void> {
    const found = running.get(name);
    if (!found) throw new Error(`There is no server called ${name}`);
    const ended = once(found.child, 'exit');
    found.child.kill('SIGTERM');
    await ended;
  }

  return {
    start,
    stop,
    list: async () => [...running.values()].map(({ server }) => server),
    stopAll: async () => void (await Promise.all([...running.keys()].map(stop))),
  };
}

/** @throws Error with what the server said where it doesn't start */
async function readFacts(child: ChildProcess): Promise<Throwaway> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The server has no output to read');
  const errors = text(stderr);
  for await (const line of createInterface({ input: stdout })) {
    const facts: unknown = Value.Clean(Throwaway, JSON.parse(line));
    if (Value.Check(Throwaway, facts)) return facts;
  }
  throw new Error(`The server did not start. ${(await errors).trim()}`);
}

function freeName(taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) if (!taken.has(`server-${number}`)) return `server-${number}`;
}
