import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../server/administration/about/openapi.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

describe.each([
  ['vendor', '/_service', '/_chat'],
  ['matrix', '/_synapse', '/_matrix'],
])('in the %s dialect', (_, administration, chat) => {
  const read = async (): Promise<OpenApiDocument> =>
    (await homeserver.as('guest').get(`${administration}/openapi.json`)).body;

  test.each([
    ['get', `${administration}/admin/v1/scheduled_tasks`],
    ['get', `${administration}/admin/v1/event_reports`],
    ['get', `${administration}/admin/v1/event_reports/{report_id}`],
    ['delete', `${administration}/admin/v1/event_reports/{report_id}`],
    ['get', `${administration}/admin/v1/server_version`],
    ['get', `${chat}/client/r0/login`],
    ['post', `${chat}/client/r0/login`],
    ['post', `${chat}/client/v3/register`],
    ['post', `${chat}/client/v3/rooms/{roomId}/report/{eventId}`],
    ['get', '/.well-known/matrix/client'],
  ])('describes %s %s', async (method, path) => {
    const operation = (await read()).paths[path]?.[method];
    expect(operation?.responses).toHaveProperty('200');
    const inPath = operation?.parameters.filter((parameter) => 'in' in parameter && parameter.in === 'path');
    expect(inPath).toHaveLength([...path.matchAll(/\{/g)].length);
  });

  test('states list parameters as the server validates them', async () => {
    const { parameters, security } =
      (await read()).paths[`${administration}/admin/v1/event_reports`]?.get ?? {};
    expect(parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: { type: 'integer', minimum: 0, default: 100 },
    });
    expect(security).toEqual([{ accessToken: [] }]);
  });

  test('contains nothing of the other dialect', async () => {
    const paths = Object.keys((await read()).paths);
    expect(paths.length).toBeGreaterThan(50);
    const own = [`${administration}/`, `${chat}/`, '/_gatehouse/', '/.well-known/'];
    expect(paths.filter((path) => !own.some((prefix) => path.startsWith(prefix)))).toEqual([]);
  });

  test('has a readable page that runs no scripts', async () => {
    const { status, body, headers } = await homeserver.as('guest').get(`${administration}/openapi`);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(body).toContain(`<code>${administration}/admin/v1/event_reports/{report_id}</code>`);
    expect(body).not.toContain('<script');
  });
});
