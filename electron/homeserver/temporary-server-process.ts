/** Additional temporary servers of the app: one homeserver process each, with a data folder that is deleted with it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartTemporaryServer } from '../../server/administration/host/temporary-servers.ts';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { discover } from '../../shared/discover.ts';
import type { SentenceValues } from '../../shared/sentence.ts';
import { signIn } from '../../shared/sign-in.ts';
import type { TemporaryServer } from '../../shared/workbench/host.ts';
import { log } from '../log.ts';
import { HomeserverProcess } from './homeserver-process.ts';

type Options = {
  /** The bundle that a homeserver process runs. */
  modulePath: string;
  /** Their parent folder, used by no one else: leftovers of a killed app are deleted first. */
  place: string;
  send: Send;
};

export function temporaryServerProcess({ modulePath, place, send }: Options): StartTemporaryServer {
  const swept = rm(place, { recursive: true, force: true }).catch((error) => {
    log.warn(`temporary servers: couldn't remove ${place}:`, error);
  });
  return async (name, whenGone, sampleData) => {
    await swept;
    await mkdir(place, { recursive: true, mode: 0o700 });
    const folder = await mkdtemp(join(place, 'server-'));
    const process = new HomeserverProcess({
      modulePath,
      arguments: [`--data-dir=${folder}`, '--port=0'],
      firstArguments: sampleData ? ['--sample-data'] : [],
      // After a restart it would listen on another port that no client knows.
      onChange({ status }) {
        if (isThere && (status === 'restarting' || status === 'failed')) void stop();
      },
    });
    let isThere = false;
    const stop = async () => {
      await process.stop();
      await rm(folder, { recursive: true, force: true }).catch((error) => {
        log.warn(`temporary servers: couldn't remove ${folder}:`, error);
      });
      whenGone();
    };
    try {
      process.start();
      const found = await discover(send, await process.url());
      const token = await process.ask('sign-in');
      const { userId, accessToken } = await signIn(send, found, { type: 'login_token', token });
      const server: TemporaryServer = {
        name,
        url: found.baseUrl,
        server_name: userId.slice(userId.indexOf(':') + 1),
        user_id: userId,
        access_token: accessToken,
      };
      isThere = true;
      return { server, stop };
    } catch (error) {
      const { status, message } = process.state;
      await stop();
      if (message?.values) throw notStarted(name, message.values);
      throw status === 'starting' ? tooLate(name) : error;
    }
  };
}

/** Messages of its process are about the main server. */
function notStarted(name: string, { reason, code }: SentenceValues): ConnectionFailure {
  return reason === undefined
    ? new ConnectionFailure(
        'refused',
        /*i18n*/ 'Server {name} crashed at startup (exit code {code}). See the log for details.',
        { name, code: code ?? '' },
      )
    : new ConnectionFailure('refused', /*i18n*/ "Server {name} couldn't start: {reason}", {
        name,
        reason,
      });
}

const tooLate = (name: string) =>
  new ConnectionFailure('refused', /*i18n*/ 'Server {name} took too long to start. Retry.', { name });
