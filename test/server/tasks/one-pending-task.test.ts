/** Repeated user actions create one task and don't block admins' tasks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

const tasks = '/_service/admin/v1/scheduled_tasks';

const nameOf = (user: string) => `/_chat/client/v3/profile/@${user}:localhost/displayname`;

let homeserver: TestHomeserver;
const rooms: string[] = [];
beforeAll(async () => {
  homeserver = await startHomeserver();
  // Enough rooms for a display name change to become a task.
  for (let count = 0; count < 22; count++) {
    const made = await homeserver.as('alice').post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
    rooms.push(made.body.room_id);
  }
});
afterAll(() => homeserver.remove());

test('the last of many changes is shown everywhere, with few tasks', async () => {
  const [alice, admin] = [homeserver.as('alice'), homeserver.as('admin')];
  const names = Array.from({ length: 120 }, (_, index) => `Alice ${index}`);
  await Promise.all(
    names.map(async (displayname) => {
      expect((await alice.put(nameOf('alice'), { displayname })).status).toBe(200);
    }),
  );
  expect((await alice.put(nameOf('alice'), { displayname: 'Alice at last' })).status).toBe(200);

  const ofAlice = `${tasks}?action_name=update_join_states&resource_id=${encodeURIComponent(alice.userId)}`;
  expect((await admin.get(`${ofAlice}&status=scheduled`)).body.scheduled_tasks.length).toBeLessThanOrEqual(1);
  await expect
    .poll(async () => {
      const { scheduled_tasks: all } = (await admin.get(ofAlice)).body;
      return all.filter(({ status }: { status: string }) => status !== 'complete');
    })
    .toEqual([]);
  // The number depends on how often the worker runs between two requests.
  expect((await admin.get(ofAlice)).body.scheduled_tasks.length).toBeLessThan(names.length);
  for (const room of rooms) {
    const member = await alice.get(`/_chat/client/v3/rooms/${room}/state/m.room.member/${alice.userId}`);
    expect(member.body.displayname).toBe('Alice at last');
  }
});

test('pending changes are one task, in any rooms', async () => {
  const [alice, admin] = [homeserver.as('alice'), homeserver.as('admin')];
  // Keeps tasks from running.
  await homeserver.services.tasks.stop();
  await Promise.all(
    Array.from({ length: 30 }, (_, index) => alice.put(nameOf('alice'), { displayname: `Name ${index}` })),
  );
  const waiting = await admin.get(`${tasks}?action_name=update_join_states&status=scheduled`);
  expect(waiting.body.scheduled_tasks).toMatchObject([{ resource_id: alice.userId }]);

  await homeserver.restart();
  await expect
    .poll(async () => (await admin.get(`${tasks}?status=scheduled`)).body.scheduled_tasks)
    .toEqual([]);
});
