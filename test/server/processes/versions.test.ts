/** Processes of different versions on one database: the older leaves to the newer what only that one knows. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ending, type Served, start } from '../gatehouse.ts';
import { type Pair, servePair } from './pair.ts';

const admin = '/_service/admin/v1';

describe.runIf(inject('postgres'))('while a newer version serves the same database', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await servePair();
    await pair.database.query(
      `update server_facts set value = '{"version":"7.3.0","migration":"9000-later"}' where name = 'newest_build'`,
    );
  });
  afterAll(() => pair.end());

  test('its background updates and tasks wait for it, and those that are known are done once', async () => {
    const enable = (served: Served, enabled: boolean) =>
      pair.at(served, 'POST', `${admin}/background_updates/enabled`, { enabled });
    await enable(pair.one, false);
    const known = `${admin}/background_updates/start_job`;
    const job = { job_name: 'populate_stats_process_rooms' };
    const asked = await Promise.all(
      [pair.one, pair.other].map((served) => pair.at(served, 'POST', known, job)),
    );
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 400]);
    const updates = async () => (await pair.at(pair.other, 'GET', `${admin}/background_updates/status`)).body;
    expect(await updates()).toMatchObject({ enabled: false, current_updates: { master: {} } });
    await enable(pair.other, true);
    await expect.poll(updates).toEqual({ enabled: true, current_updates: {} });

    await pair.database.query(
      `insert into background_updates (name, ordering, progress, total_item_count, total_duration_ms)
       values ('of_the_newer', 1, '{}', 0, 0)`,
    );
    await pair.database.query(
      `insert into scheduled_tasks (id, action, status, timestamp_ms, params)
       values ('newer', 'of_the_newer', 'scheduled', 0, '{}'), ('left', 'of_the_newer', 'active', 0, '{}')`,
    );
    // Both are asked to look; a task that both know shows that they have.
    for (const served of [pair.one, pair.other]) {
      await enable(served, true);
      const { room_id: room } = (await pair.at(served, 'POST', '/_chat/client/v3/createRoom', {})).body;
      const { body } = await pair.at(served, 'DELETE', `/_service/admin/v2/rooms/${room}`, {});
      const status = async () =>
        (await pair.at(served, 'GET', `/_service/admin/v2/rooms/delete_status/${body.delete_id}`)).body
          .status;
      await expect.poll(status).toBe('complete');
    }
    expect((await updates()).current_updates.master.name).toBe('of_the_newer');
    const { body } = await pair.at(pair.one, 'GET', `${admin}/scheduled_tasks?action_name=of_the_newer`);
    expect(body.scheduled_tasks).toMatchObject([
      { id: 'left', status: 'active' },
      { id: 'newer', status: 'scheduled' },
    ]);
  });

  test('an older one that starts after a migration is refused in one line', async () => {
    await pair.database.query(
      `insert into kysely_migration (name, timestamp) values ('9000-later', '2030-01-01T00:00:00.000Z')`,
    );
    const { code, output, errors } = await ending(start(['serve', '--port', '0', ...pair.data.source]));
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^gatehouse: database: .*; run version 7\.3\.0 or a later one .*\n$/);
  });
});
