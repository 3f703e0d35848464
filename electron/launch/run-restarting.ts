/** Runs a program and restarts it when its scripts are rebuilt. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';

/** A build writes several files one after the other. */
const settledAfterMs = 300;

type Running = {
  program: string;
  arguments: string[];
  /** Only its `.js` files; it handles others itself. */
  folder: string;
  environment?: NodeJS.ProcessEnv;
};

/** `ended` resolves with the exit code when it exits on its own or through `stop`. */
export function runRestarting({ program, arguments: args, folder, environment = process.env }: Running): {
  ended: Promise<number | null>;
  stop: () => void;
} {
  const ended = Promise.withResolvers<number | null>();
  let isStopping = false;
  let settled: NodeJS.Timeout | undefined;

  async function run(): Promise<void> {
    for (let code: number | null = null; ; ) {
      let restarts = false;
      const running = spawn(program, args, { stdio: 'inherit', env: environment });
      let isSignaled = false;
      terminate = () => {
        // Once: a second signal would make Electron exit without waiting.
        if (!isSignaled) running.kill('SIGTERM');
        isSignaled = true;
      };
      restart = () => {
        restarts = true;
        terminate();
      };
      [code] = await once(running, 'exit');
      if (isStopping || !restarts) {
        clearTimeout(settled);
        watcher.close();
        ended.resolve(code);
        return;
      }
    }
  }

  let terminate = () => {};
  let restart = () => {};
  const watcher = watch(folder, (_event, name) => {
    if (!name?.endsWith('.js')) return;
    clearTimeout(settled);
    settled = setTimeout(() => restart(), settledAfterMs);
  });
  run().catch(ended.reject);
  return {
    ended: ended.promise,
    stop() {
      isStopping = true;
      terminate();
    },
  };
}
