/** A throwaway server as the app runs it: a homeserver's process, on a folder that goes with it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartThrowaway } from '../server/host/throwaways.ts';
import type { Send } from '../shared/connection.ts';
import { discover } from '../shared/discover.ts';
import { signIn } from '../shared/sign-in.ts';
import type { Throwaway } from '../shared/workbench/host.ts';
import { HomeserverProcess } from './homeserver-process.ts';

/** @param modulePath the bundle that a homeserver's process runs */
export function throwawayProcess(modulePath: string, send: Send): StartThrowaway {
  return async (name, whenGone) => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-throwaway-'));
    const process = new HomeserverProcess({
      modulePath,
      arguments: [`--data-dir=${folder}`, '--port=0'],
      onChange() {},
    });
    const stop = async () => {
      await process.stop();
      await rm(folder, { recursive: true, force: true });
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
      return { server, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  };
}
