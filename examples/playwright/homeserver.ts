/** A homeserver for each worker, reset before each test. */
import { type Homeserver, startHomeserver } from '@gatehouse/homeserver';
import { test as base } from 'playwright/test';

export const test = base.extend<{ homeserver: Homeserver }, { server: Homeserver }>({
  server: [
    async ({}, use) => {
      const server = await startHomeserver({ users: ['alice'] });
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  homeserver: async ({ server }, use) => {
    await server.reset();
    await use(server);
  },
});
