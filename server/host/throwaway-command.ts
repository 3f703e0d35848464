/** A throwaway server as a command line runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Value } from 'typebox/value';
import { Throwaway } from '../../shared/workbench/host.ts';
import type { StartThrowaway } from './throwaways.ts';

/** @param command the command line that runs `gatehouse` */
export function throwawayCommand([program, ...args]: readonly [string, ...string[]]): StartThrowaway {
  return async (name, whenGone) => {
    const child = spawn(program, [...args, 'serve', '--temporary', '--json', '--name', name], {
      // The last one tells it that this process has gone, however that ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const server = await readFacts(child.stdout, child.stderr);
    child.once('exit', whenGone);
    return {
      server,
      async stop() {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      },
    };
  };
}

/** @throws Error with what the server said where it doesn't start */
async function readFacts(stdout: Readable | null, stderr: Readable | null): Promise<Throwaway> {
  if (!stdout || !stderr) throw new Error('The server has no output to read');
  const errors = text(stderr);
  for await (const line of createInterface({ input: stdout })) {
    const facts: unknown = Value.Clean(Throwaway, JSON.parse(line));
    if (Value.Check(Throwaway, facts)) return facts;
  }
  throw new Error(`The server did not start. ${(await errors).trim()}`);
}
