import { expect, test } from 'vitest';
import {
  createTemporaryServers,
  type RunningTemporaryServer,
} from '../../../server/administration/host/temporary-servers.ts';

const facts = (name: string) => ({ name, url: '', server_name: '', user_id: '', access_token: '' });

test("an exit reported twice doesn't affect the next server of that name", async () => {
  const gone: (() => void)[] = [];
  const temporaryServers = createTemporaryServers(async (name, whenGone) => {
    gone.push(whenGone);
    return { server: facts(name), stop: async () => {} };
  });
  await temporaryServers.start('a');
  // Crashes, and is stopped while its data is being removed.
  gone[0]?.();
  await temporaryServers.start('a');
  gone[0]?.();
  expect(await temporaryServers.list()).toEqual([facts('a')]);
  await expect(temporaryServers.start('a')).rejects.toMatchObject({ code: 'refused' });
});

test('one that exits at once is gone', async () => {
  const temporaryServers = createTemporaryServers(async (name, whenGone) => {
    whenGone();
    return { server: facts(name), stop: () => new Promise(() => {}) };
  });
  await temporaryServers.start('a');
  expect(await temporaryServers.list()).toEqual([]);
  await temporaryServers.stopAll();
});

test('one that is starting is stopped with the others, and none starts after that', async () => {
  const launched = Promise.withResolvers<RunningTemporaryServer>();
  const temporaryServers = createTemporaryServers(() => launched.promise);
  const starting = temporaryServers.start('late');
  const stopping = temporaryServers.stopAll();
  let isStopped = false;
  const server = facts('late');
  launched.resolve({
    server,
    stop: async () => {
      isStopped = true;
    },
  });
  await stopping;
  expect(isStopped).toBe(true);
  expect(await starting).toEqual(server);
  await expect(temporaryServers.start()).rejects.toMatchObject({ code: 'refused' });
});
