/** Tasks that an older build left, which kept each wish as often as it was wished. */
import SqliteDatabase from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Homeserver } from '../../../server/homeserver.ts';
import { serveFixture } from '../../fixtures/read-data.ts';
import { copyFixture, type FixtureCopy } from '../database/fixture.ts';
import { call } from '../homeserver.ts';

const alice = '@alice:localhost';

let copy: FixtureCopy;
let homeserver: Homeserver;
beforeAll(async () => {
  copy = await copyFixture('first-build');
  await keep([
    ...Array.from({ length: 200 }, () => ({ action: 'update_join_states', params: { user_id: alice } })),
    { action: 'forgotten', params: { which: 1 } },
    { action: 'forgotten', params: { which: 2 } },
  ]);
  homeserver = await serveFixture(copy.dataDir, copy.manifest, copy.database);
});
afterAll(async () => {
  await homeserver.stop();
  await copy.remove();
});

/** Writes waiting tasks into the data, as a build did that had the columns of the first one. */
async function keep(tasks: { action: string; params: object }[]): Promise<void> {
  const statements = tasks.map(({ action, params }, index) => {
    const values = [`older-${index}`, action, 'scheduled', copy.manifest.now - index, alice];
    return `insert into scheduled_tasks (id, action, status, timestamp_ms, resource_id, params) values (${[
      ...values,
      JSON.stringify(params),
    ]
      .map((value) => `'${value}'`)
      .join()})`;
  });
  if (copy.database.name === 'sqlite3') {
    const database = new SqliteDatabase(copy.database.file);
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new Client({ ...inject('postgres'), database: copy.database.database });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const tasksOf = async (action: string) => {
  const path = `/_service/admin/v1/scheduled_tasks?action_name=${action}`;
  const { body } = await call(homeserver.url, 'GET', path, copy.manifest.tokens.admin);
  return body.scheduled_tasks;
};

test('the same wish is done once', async () => {
  await expect
    .poll(() => tasksOf('update_join_states'), { timeout: 20_000 })
    .toMatchObject([{ id: 'older-199', status: 'complete', resource_id: alice }]);
});

test('what no build of today can do is readable, and has failed', async () => {
  await expect
    .poll(() => tasksOf('forgotten'), { timeout: 20_000 })
    .toEqual(
      expect.arrayContaining(
        ['older-200', 'older-201'].map((id) =>
          expect.objectContaining({ id, status: 'failed', error: 'No such action: forgotten' }),
        ),
      ),
    );
});
