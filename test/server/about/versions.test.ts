/** Versions of the API and of the server itself. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

describe.each([
  ['vendor', '/_service', '/_chat'],
  ['matrix', '/_synapse', '/_matrix'],
])('in the %s dialect', (_, administration, chat) => {
  test.each<[string, string, string, number, unknown]>([
    [
      'versions',
      'guest',
      `${chat}/client/versions`,
      200,
      { versions: expect.arrayContaining(['r0.6.1', 'v1.1', 'v1.11', 'v1.16']) },
    ],
    [
      'server version',
      'admin',
      `${administration}/admin/v1/server_version`,
      200,
      { server_version: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    ],
    [
      'server version, anonymously',
      'guest',
      `${administration}/admin/v1/server_version`,
      401,
      { errcode: 'M_MISSING_TOKEN' },
    ],
    [
      'server version, by a user',
      'alice',
      `${administration}/admin/v1/server_version`,
      403,
      { errcode: 'M_FORBIDDEN' },
    ],
    [
      'endpoints',
      'admin',
      `${administration}/admin/v1/endpoints`,
      200,
      {
        administration: expect.arrayContaining(['/v2/users/:user_id', '/v1/event_reports']),
        chat: expect.arrayContaining(['/client/v3/rooms/:roomId/ban', '/federation/v1/version']),
      },
    ],
    [
      'endpoints, by a user',
      'alice',
      `${administration}/admin/v1/endpoints`,
      403,
      { errcode: 'M_FORBIDDEN' },
    ],
    ['federation version', 'guest', `${chat}/federation/v1/version`, 200, { server: { name: 'Gatehouse' } }],
  ])('%s', async (_, caller, path, status, body) => {
    const { accessToken } = homeserver.as(caller);
    expect(await call(homeserver.url, 'GET', path, accessToken)).toMatchObject({ status, body });
  });
});
