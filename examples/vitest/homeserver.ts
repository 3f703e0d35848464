/** A homeserver for each test file, reset before each test. */
import { type Homeserver, startHomeserver } from '@gatehouse/homeserver';
import { test as base } from 'vitest';

export const test = base.extend<{ server: Homeserver; homeserver: Homeserver }>({
  server: [
    async ({}, use) => {
      const server = await startHomeserver({ users: ['alice', 'bot'] });
      await use(server);
      await server.stop();
    },
    { scope: 'file' },
  ],
  homeserver: async ({ server }, use) => {
    await server.reset();
    await use(server);
  },
});
