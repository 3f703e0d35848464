import { expect, test } from 'vitest';
import { createThrowaways, type RunningThrowaway } from '../../../server/host/throwaways.ts';

test('one that is just starting is stopped with the others, and none is started after that', async () => {
  const launched = Promise.withResolvers<RunningThrowaway>();
  const throwaways = createThrowaways(() => launched.promise);
  const starting = throwaways.start('late');
  const stopping = throwaways.stopAll();
  let isStopped = false;
  const server = { name: 'late', url: '', server_name: '', user_id: '', access_token: '' };
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
