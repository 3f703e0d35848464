import { expect, test } from 'vitest';
import { createThrowaways, type RunningThrowaway } from '../../../server/administration/host/throwaways.ts';

const facts = (name: string) => ({ name, url: '', server_name: '', user_id: '', access_token: '' });

test('one that is said to have gone twice leaves the next one of its name alone', async () => {
  const gone: (() => void)[] = [];
  const throwaways = createThrowaways(async (name, whenGone) => {
    gone.push(whenGone);
    return { server: facts(name), stop: async () => {} };
  });
  await throwaways.start('a');
  // It crashes, and is stopped while what it had is removed.
  gone[0]?.();
  await throwaways.start('a');
  gone[0]?.();
  expect(await throwaways.list()).toEqual([facts('a')]);
  await expect(throwaways.start('a')).rejects.toMatchObject({ code: 'refused' });
});

test('one that has gone as soon as it is there is none', async () => {
  const throwaways = createThrowaways(async (name, whenGone) => {
    whenGone();
    return { server: facts(name), stop: () => new Promise(() => {}) };
  });
  await throwaways.start('a');
  expect(await throwaways.list()).toEqual([]);
  await throwaways.stopAll();
});

test('one that is just starting is stopped with the others, and none is started after that', async () => {
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
