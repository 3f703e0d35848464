/** Every endpoint in either dialect and on either engine: permissions, and a typical sequence of calls. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../server/administration/about/openapi.ts';
import { dialectNames, dialects } from '../../shared/dialect.ts';
import { call, type Reply, startHomeserver, type TestHomeserver } from './homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

/** Sends requests without translation between dialects. */
const send = (caller: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  call(homeserver.url, method, path, homeserver.as(caller).accessToken, body, { translated: false });

describe.each(dialectNames.map((name) => [name, dialects[name]] as const))(
  'in the %s dialect',
  (name, dialect) => {
    const admin = `${dialect.administration}/admin`;
    const client = `${dialect.chat}/client/v3`;

    test('every endpoint requires the documented token', async () => {
      const document: OpenApiDocument = (await send('guest', 'GET', `${dialect.administration}/openapi.json`))
        .body;
      const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => ({
          path,
          method,
          isOpen: security.length === 0,
        })),
      );
      expect(endpoints.length).toBeGreaterThan(100);
      for (const { path, method, isOpen } of endpoints) {
        if (isOpen) continue;
        const address = path.replaceAll(/\{[^}]+\}/g, 'x');
        const nobody = await send('guest', method.toUpperCase(), address, method === 'get' ? undefined : {});
        expect(nobody, `${method} ${path}`).toMatchObject({
          status: 401,
          body: { errcode: 'M_MISSING_TOKEN' },
        });
        if (!path.startsWith(admin)) continue;
        const user = await send('alice', method.toUpperCase(), address, method === 'get' ? undefined : {});
        expect(user, `${method} ${path}`).toMatchObject({ status: 403, body: { errcode: 'M_FORBIDDEN' } });
      }
    });

    test('a room is created, used, reported, inspected and closed', async () => {
      const seen = async (caller: string, method: string, path: string, body?: unknown) => {
        const reply = await send(caller, method, path, body);
        expect(reply, `${method} ${path}`).toMatchObject({ status: 200 });
        return reply.body;
      };
      const { room_id: room } = await seen('alice', 'POST', `${client}/createRoom`, {
        preset: 'public_chat',
        name: `Spoken in ${name}`,
        room_alias_name: name,
      });
      const inRoom = `${client}/rooms/${encodeURIComponent(room)}`;
      await seen('bob', 'POST', `${client}/join/${encodeURIComponent(`#${name}:localhost`)}`, {});
      const message = { msgtype: 'm.text', body: 'hello' };
      const { event_id: event } = await seen('bob', 'PUT', `${inRoom}/send/m.room.message/${name}`, message);
      const { chunk } = await seen('alice', 'GET', `${inRoom}/messages?dir=b&limit=1`);
      expect(chunk).toMatchObject([{ event_id: event, content: message }]);
      await seen('alice', 'POST', `${inRoom}/report/${encodeURIComponent(event)}`, {
        reason: 'rude',
        score: -50,
      });

      const reports = `${admin}/v1/event_reports`;
      const page = await seen('admin', 'GET', `${reports}?room_id=${encodeURIComponent(room)}`);
      expect(page).toMatchObject({
        total: 1,
        event_reports: [
          { sender: '@bob:localhost', user_id: '@alice:localhost', event_id: event, score: -50 },
        ],
      });
      const one = `${reports}/${page.event_reports[0].id}`;
      expect(await seen('admin', 'GET', one)).toMatchObject({ event_json: { content: message } });
      await seen('admin', 'DELETE', one);
      expect(await send('admin', 'GET', one)).toMatchObject({
        status: 404,
        body: { errcode: 'M_NOT_FOUND' },
      });

      expect(await seen('admin', 'GET', `${admin}/v2/users?name=bob`)).toMatchObject({ total: 1 });
      expect(await seen('admin', 'GET', `${admin}/v1/rooms/${encodeURIComponent(room)}`)).toMatchObject({
        joined_members: 2,
      });
      await seen('admin', 'DELETE', `${admin}/v2/rooms/${encodeURIComponent(room)}`, { purge: true });
      const tasks = await seen(
        'admin',
        'GET',
        `${admin}/v1/scheduled_tasks?action_name=shutdown_and_purge_room&resource_id=${encodeURIComponent(room)}`,
      );
      expect(tasks.scheduled_tasks).toMatchObject([{ resource_id: room }]);
      // The status names that deployed servers use.
      for (const status of ['failed', 'cancelled']) {
        const list = await seen('admin', 'GET', `${admin}/v1/scheduled_tasks?job_status=${status}`);
        expect(list.scheduled_tasks).toEqual([]);
      }
    });

    test('versions lists supported features only', async () => {
      const { unstable_features: features } = (await send('guest', 'GET', `${dialect.chat}/client/versions`))
        .body;
      expect(features).toMatchObject({
        'org.matrix.e2e_cross_signing': true,
        'org.matrix.msc2285.stable': true,
        'org.matrix.msc3771': true,
        'org.matrix.simplified_msc3575': true,
        'fi.mau.msc2659.stable': true,
      });
      expect(Object.keys(features)).not.toContain('org.matrix.msc4306');
    });

    test.each([
      ['GET', `${dialect.chat}/client/versions`],
      ['GET', `${dialect.chat}/client/r0/login`],
      ['GET', `${dialect.chat}/key/v2/server`],
      ['GET', `${dialect.chat}/federation/v1/version`],
    ])('anyone may %s %s', async (method, path) => {
      expect(await send('guest', method, path)).toMatchObject({ status: 200 });
    });

    test.each([
      ['an unknown endpoint', 'GET', `${admin}/v1/nothing`, 404],
      ['a method that it does not have', 'POST', `${admin}/v1/server_version`, 405],
    ])('%s is returned', async (_, method, path, status) => {
      expect(await send('admin', method, path)).toMatchObject({
        status,
        body: { errcode: 'M_UNRECOGNIZED' },
      });
    });
  },
);
