import { expect, test } from 'vitest';
import { createThrowaways, type RunningThrowaway } from '../../../server/administration/host/throwaways.ts';

const facts = (name: string) => ({ name, url: '', server_name: '', user_id: '', access_token: '' });

test("an exit reported twice doesn't affect the next server of that name", async () => {
  const gone: (() => void)[] = [];
  const throwaways = createThrowaways(async (name, whenGone) => {
    gone.push(whenGone);
    return { server: facts(name), stop: async () => {} };
  });
  await throwaways.start('a');
  // Crashes, and is stopped while its data is being removed.
  gone[0]?.();
  await throwaways.start('a');
  gone[0]?.();
  expect(await throwaways.list()).toEqual([facts('a')]);
  await expect(throwaways.start('a')).rejects.toMatchObject({ code: 'refused' });
});

test('one that exits at once is gone', async () => {
  const throwaways = createThrowaways(async (name, whenGone) => {
    whenGone();
    return { server: facts(name), stop: () => new Promise(() => {}) };
  });
  await throwaways.start('a');
  expect(await throwaways.list()).toEqual([]);
  await throwaways.stopAll();
});

test('one that is starting is stopped with the others, and none starts after that', async () => {
  const launched = Promise.withResolvers<RunningThrowaway>();
  const throwaways = createThrowaways(() => launched.promise);
  const starting = throwaways.start('late');
  const stopping = throwaways.stopAll();
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
  await expect(throwaways.start()).rejects.toMatchObject({ code: 'refused' });
});
