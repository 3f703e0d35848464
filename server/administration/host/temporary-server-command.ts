/** Runs a temporary server through the command line. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Value } from 'typebox/value';
import { readJson } from '../../../shared/read-json.ts';
import { TemporaryServer } from '../../../shared/workbench/host.ts';
import type { StartTemporaryServer } from './temporary-servers.ts';

/** Characters of its last output to keep, for an error about a failed start. */
const maxKept = 16 * 1024;

/** @param command that runs `gatehouse` */
export function temporaryServerCommand([program, ...args]: readonly [
  string,
  ...string[],
]): StartTemporaryServer {
  return async (name, whenGone) => {
    const child = spawn(program, [...args, 'serve', '--temporary', '--json', '--name', name], {
      // The IPC channel closes when this process ends, even if it's killed, and the server stops.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    // Without a listener, a failure to start or stop would be uncaught.
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

/** @throws Error with the server's output if it doesn't start */
async function readFacts(stdout: Readable | null, stderr: Readable | null): Promise<TemporaryServer> {
  if (!stdout || !stderr) throw new Error('The server has no output to read');
  let output = '';
  // Also later: a full pipe would block the server.
  stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-maxKept);
  });
  for await (const line of createInterface({ input: stdout })) {
    const facts: unknown = Value.Clean(TemporaryServer, readJson(line));
    if (Value.Check(TemporaryServer, facts)) return facts;
  }
  await finished(stderr).catch(() => {});
  throw didNotStart(output.trim());
}
