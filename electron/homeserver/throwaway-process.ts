/** A throwaway server as the app runs it: a homeserver's process, on a folder that goes with it. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StartThrowaway } from '../../server/administration/host/throwaways.ts';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { discover } from '../../shared/discover.ts';
import type { SentenceValues } from '../../shared/sentence.ts';
import { signIn } from '../../shared/sign-in.ts';
import type { Throwaway } from '../../shared/workbench/host.ts';
import { log } from '../log.ts';
import { HomeserverProcess } from './homeserver-process.ts';

type Options = {
  /** The bundle that a homeserver's process runs. */
  modulePath: string;
  /** The folder for those of all, which nobody else uses: what an app that was killed has left there goes first. */
  place: string;
  send: Send;
};

export function throwawayProcess({ modulePath, place, send }: Options): StartThrowaway {
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
      // It would listen elsewhere when it is started again, where nobody looks for it.
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
      const server: Throwaway = {
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

/** What its process says is meant for the server in the box. */
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
