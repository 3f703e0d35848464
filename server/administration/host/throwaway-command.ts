/** A throwaway server as a command line runs it. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Value } from 'typebox/value';
import { readJson } from '../../../shared/read-json.ts';
import { Throwaway } from '../../../shared/workbench/host.ts';
import type { StartThrowaway } from './throwaways.ts';

/** As much of what it says last is kept, in characters, to tell why it did not start. */
const mostKept = 16 * 1024;

/** @param command the command line that runs `gatehouse` */
export function throwawayCommand([program, ...args]: readonly [string, ...string[]]): StartThrowaway {
  return async (name, whenGone) => {
    const child = spawn(program, [...args, 'serve', '--temporary', '--json', '--name', name], {
      // The last one tells it that this process has gone, however that ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    // It may be none that can be started, or stopped.
    let fault: Error | undefined;
    child.on('error', (error) => {
      fault = error;
    });
    const ended = Promise.withResolvers<void>();
    child.once('exit', () => ended.resolve());
    const server = await readFacts(child.stdout, child.stderr).catch((error: Error) => {
      child.kill();
      throw fault ? didNotStart(fault.message) : error;
    });
    void ended.promise.then(whenGone);
    return {
      server,
      async stop() {
        child.kill('SIGTERM');
        await ended.promise;
      },
    };
  };
}

const didNotStart = (why: string) => new Error(`The server did not start. ${why}`);

/** @throws Error with what the server said where it doesn't start */
async function readFacts(stdout: Readable | null, stderr: Readable | null): Promise<Throwaway> {
  if (!stdout || !stderr) throw new Error('The server has no output to read');
  let said = '';
  // For as long as it runs: it would wait for somebody to read what it says.
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-mostKept);
  });
  for await (const line of createInterface({ input: stdout })) {
    const facts: unknown = Value.Clean(Throwaway, readJson(line));
    if (Value.Check(Throwaway, facts)) return facts;
  }
  await finished(stderr).catch(() => {});
  throw didNotStart(said.trim());
}
