/** The command line, run as its own process. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

/** User, group and environment of the process. */
export type StartOptions = Pick<SpawnOptions, 'uid' | 'gid' | 'env'>;

/** Starts a command. The caller must end it. */
export function start(
  args: string[],
  options: StartOptions = {},
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { stdio: [input, 'pipe', 'pipe'], ...options });
}

/** Runs a command until it exits. */
export async function gatehouse(
  ...args: string[]
): Promise<{ code: number; output: string; errors: string }> {
  return ending(start(args));
}

/** Returns a started command's output and exit code. */
export async function ending(child: ChildProcess): Promise<{ code: number; output: string; errors: string }> {
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, output: await output, errors: await errors };
}

export type Served = {
  url: string;
  process: ChildProcess;
  /** Sends a signal and returns the exit code; null if the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Exit code when it exits without a signal from the test. */
  exited: Promise<number | null>;
  /** Its complete standard error, after it exits. */
  errors: Promise<string>;
};

/** Runs `gatehouse serve` and resolves when it listens. */
export const serve = (...args: string[]): Promise<Served> => serveWith({}, ...args);

/** Like `serve`, with options for the process. */
export async function serveWith(options: StartOptions, ...args: string[]): Promise<Served> {
  const child = start(['serve', '--port', '0', ...args], options);
  const errors = collect(child.stderr);
  const { stdout } = child;
  if (!stdout) throw new Error('there is no standard output to read');
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^listening on (https?:\S+)$/.exec(line) ?? [];
    if (!url) continue;
    const exited: Promise<number | null> = once(child, 'exit').then(([code]) => code);
    const end = (signal: NodeJS.Signals) => {
      child.kill(signal);
      return exited;
    };
    return { url, process: child, end, exited, errors };
  }
  throw new Error(`gatehouse serve ended before it listened: ${await errors}`);
}

/** Returns all data of a stream. */
export async function collect(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
