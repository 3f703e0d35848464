/** The command line as a person runs it: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

/** Starts a command that the caller has to end. */
export function start(args: string[]): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs a command to its end. */
export async function gatehouse(
  ...args: string[]
): Promise<{ code: number; output: string; errors: string }> {
  const child = start(args);
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, output: await output, errors: await errors };
}

export type Served = {
  url: string;
  process: ChildProcess;
  /** Ends it with a signal and gives its exit code, which is null where the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
};

/** Runs `gatehouse serve` until it listens. */
export async function serve(...args: string[]): Promise<Served> {
  const child = start(['serve', '--port', '0', ...args]);
  const errors = collect(child.stderr);
  const { stdout } = child;
  if (!stdout) throw new Error('there is no standard output to read');
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^listening on (https?:\S+)$/.exec(line) ?? [];
    if (!url) continue;
    const exited = once(child, 'exit');
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal);
      const [code] = await exited;
      return code;
    };
    return { url, process: child, end };
  }
  throw new Error(`gatehouse serve ended before it listened: ${await errors}`);
}

/** Everything that a stream says until its end. */
export async function collect(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
