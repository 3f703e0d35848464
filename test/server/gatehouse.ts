/** The command line as a person runs it: a process of its own. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/gatehouse.js', import.meta.url));

/** As whom, and in which environment. */
export type StartOptions = Pick<SpawnOptions, 'uid' | 'gid' | 'env'>;

/** Starts a command that the caller has to end. */
export function start(
  args: string[],
  options: StartOptions = {},
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  return spawn(process.execPath, [bin, ...args], { stdio: [input, 'pipe', 'pipe'], ...options });
}

/** Runs a command to its end. */
export async function gatehouse(
  ...args: string[]
): Promise<{ code: number; output: string; errors: string }> {
  return ending(start(args));
}

/** What a command that was started has said, and with which code it ended. */
export async function ending(child: ChildProcess): Promise<{ code: number; output: string; errors: string }> {
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  const [code] = await once(child, 'close');
  return { code, output: await output, errors: await errors };
}

export type Served = {
  url: string;
  process: ChildProcess;
  /** Ends it with a signal and gives its exit code, which is null where the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Its exit code, when it ends by itself. */
  exited: Promise<number | null>;
  /** All of its standard error, when it has ended. */
  errors: Promise<string>;
};

/** Runs `gatehouse serve` until it listens. */
export const serve = (...args: string[]): Promise<Served> => serveWith({}, ...args);

/** The same, with options for its process. */
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

/** Everything that a stream says until its end. */
export async function collect(stream: AsyncIterable<Buffer> | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
