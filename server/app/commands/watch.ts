/** `gatehouse watch`: alerts about a homeserver. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { discover } from '../../../shared/discover.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { mailTarget, outputTarget, roomTarget, type Target, webhookTarget } from '../watch/deliver.ts';
import type { QuietHours } from '../watch/quiet-hours.ts';
import { openWatchedServer, type WatchedServer } from '../watch/watched-server.ts';
import { createWatcher } from '../watch/watcher.ts';
import { readToken } from './read-token.ts';
import { send } from './send.ts';

export type WatchOptions = {
  server: string;
  tokenFile: string;
  room?: string;
  webhook?: string;
  mail?: string;
  team?: boolean;
  console?: string;
  quiet?: QuietHours;
  /** Milliseconds between alerts that aren't urgent. */
  every: number;
};

const roundMs = 30_000;

/**
 * Watches until the process is stopped. The server only has to be reachable at the start.
 *
 * @throws ConfigurationError that names the option
 */
export async function watch(options: WatchOptions): Promise<void> {
  const server = await open(options);
  const name = new URL(server.baseUrl).host;
  const given: Target[] = [
    ...(options.room === undefined ? [] : [roomTarget(server, options.room)]),
    ...(options.webhook === undefined ? [] : [webhookTarget(options.webhook, name)]),
    ...(options.mail === undefined ? [] : [mailTarget(options.mail, name)]),
  ];
  const stopped = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stopped.abort());
  const watcher = createWatcher({
    server,
    targets: given.length > 0 ? given : [outputTarget],
    readsTeam: options.team,
    console: options.console?.replace(/\/*$/, '/'),
    everyMs: options.every,
    isQuiet: options.quiet ?? (() => false),
    leaseMs: 3 * roundMs,
    id: randomUUID(),
    now: Date.now,
    sleep: (ms) => sleep(ms, undefined, { signal: stopped.signal }).catch(() => {}),
    log: (line) => void process.stderr.write(`gatehouse: ${line}\n`),
  });
  while (!stopped.signal.aborted) {
    await watcher.round();
    await sleep(roundMs, undefined, { signal: stopped.signal }).catch(() => {});
  }
  await watcher.release();
}

async function open({ server, tokenFile, team }: WatchOptions): Promise<WatchedServer> {
  const accessToken = await readToken(tokenFile);
  try {
    const opened = await openWatchedServer(send, await discover(send, server), accessToken);
    // Server admins are then accounts of that service, which the token can't look up.
    if (
      team &&
      (await opened.request('GET', `${opened.dialect.chat}/client/v1/auth_metadata`)).status === 200
    )
      throw new ConfigurationError(
        '--team',
        'not supported on a server with Matrix Authentication Service',
        'leave it out',
      );
    return opened;
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    // The server's message may repeat the token.
    const problem = error.message.replaceAll(accessToken, '…').replace(/\.$/, '');
    throw new ConfigurationError('--server', problem, 'check --token-file too');
  }
}
