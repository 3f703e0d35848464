/** A reset replaces a server's folder, so it's refused if the database is elsewhere. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHomeserver, type Homeserver } from '../../../server/app/homeserver.ts';
import type { LocalHost } from '../../../shared/workbench/host.ts';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
let hosted: Homeserver;
const asked: string[] = [];
const done = (what: string) => async () => void asked.push(what);

beforeAll(async () => {
  homeserver = await startHomeserver();
  await homeserver.stop();
  const host = { state: () => ({ replaced: { outcome: 'replaced' } }), reset: done('reset') };
  hosted = await createHomeserver(homeserver.config, {
    host: { ...host, takeBack: done('take back'), restore: done('restore') } as unknown as LocalHost,
  });
  await hosted.start();
});
afterAll(async () => {
  await hosted.stop();
  await homeserver.restart();
  await homeserver.remove();
});

test.each(['reset', 'take-back', 'restore'])('%s', async (action) => {
  const { accessToken } = homeserver.as('admin');
  const { status, body } = await call(hosted.url, 'POST', `/_gatehouse/v1/host/${action}`, accessToken, {});
  if (homeserver.config.database.name === 'psycopg2') {
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('PostgreSQL database') },
    });
    expect(asked).toEqual([]);
  } else if (action === 'restore') expect(body.error).toMatch(/^not a backup/);
  else {
    expect(status).toBe(200);
    await expect.poll(() => asked).toContain(action.replace('-', ' '));
  }
});
