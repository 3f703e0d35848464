/** Concurrent changes to the same total don't wait for each other. SQLite runs one transaction at a time. */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { countRoom, type RoomRecord } from '../../../server/conversation/rooms/room-store.ts';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { insertUser } from '../../../server/identity/accounts/user-store.ts';
import { inTransaction, type Tx } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { makeRoom } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Runs `work` during an open transaction, which is then rolled back. */
async function whileOpen(begin: (tx: Tx) => Promise<unknown>, work: () => Promise<void>): Promise<void> {
  const open = inTransaction(homeserver.services.db, async (tx) => {
    await begin(tx);
    await work();
    throw new Error('undone');
  });
  await expect(open).rejects.toThrow('undone');
}

const newcomer = { createdTs: 0, appServiceId: null };

test.runIf(inject('postgres'))('concurrent registrations', async () => {
  const begin = (tx: Tx) => insertUser(tx, { ...newcomer, userId: '@undone:localhost' });
  await whileOpen(begin, async () => {
    for (const localpart of ['one', 'two', 'three']) await createUser(homeserver.services, { localpart });
  });
  const { body } = await homeserver.as('admin').get('/_service/admin/v2/users');
  expect(body.total).toBe(body.users.length);
});

test.runIf(inject('postgres'))('concurrent room creations', async () => {
  const begin = (tx: Tx) => countRoom(tx, { isPublic: false, joinedMembers: 1 } as RoomRecord);
  const alice = homeserver.as('alice');
  await whileOpen(begin, async () => {
    for (let count = 0; count < 3; count++) await makeRoom(alice);
  });
  const { body } = await homeserver.as('admin').get('/_service/admin/v1/rooms');
  expect(body.total_rooms).toBe(body.rooms.length);
});
