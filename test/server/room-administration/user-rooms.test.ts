import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { change, makeRoom } from '../rooms/client.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

test.each([
  ['vendor', '/_service/admin/v1'],
  ['matrix', '/_synapse/admin/v1'],
])("an admin sees a user's rooms, in the %s dialect", async (_, administration) => {
  const [alice, bob] = [homeserver.as('alice'), homeserver.as('bob')];
  const roomsOf = (userId: string, caller = 'admin') =>
    homeserver.as(caller).get(`${administration}/users/${userId}/joined_rooms`);
  expect(await roomsOf(bob.userId, 'guest')).toMatchObject({ status: 401 });
  expect(await roomsOf(bob.userId, 'bob')).toMatchObject({ status: 403 });

  const [first, second] = [await makeRoom(alice), await makeRoom(alice)];
  for (const room of [first, second]) await change(bob, room, 'join');
  const { status, body } = await roomsOf(bob.userId);
  expect({ status, body }).toEqual({
    status: 200,
    body: { joined_rooms: expect.arrayContaining([first, second]), total: 2 },
  });
  for (const room of [first, second]) await change(bob, room, 'leave');
  expect((await roomsOf(bob.userId)).body).toEqual({ joined_rooms: [], total: 0 });
});
