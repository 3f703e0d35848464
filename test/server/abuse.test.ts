/** For any client input, no reply is a 5xx, the server keeps running, and its database stays consistent. */

import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument, Operation } from '../../server/administration/about/openapi.ts';
import { openSession } from '../../server/identity/sessions/sessions.ts';
import { isMatrix } from '../matrix.ts';
import { call, startHomeserver, type TestHomeserver } from './homeserver.ts';

let homeserver: TestHomeserver;
let roomId: string;
let eventId: string;
let operations: { method: string; path: string; operation: Operation }[];

beforeAll(async () => {
  homeserver = await startHomeserver();
  const bob = homeserver.as('bob');
  const { body: room } = await bob.post('/_chat/client/v3/createRoom', { preset: 'public_chat' });
  roomId = room.room_id;
  const path = `/_chat/client/v3/rooms/${encodeURIComponent(roomId)}/send/m.room.message/1`;
  eventId = (await bob.put(path, { msgtype: 'm.text', body: 'hello' })).body.event_id;
  const document: OpenApiDocument = (await bob.get('/_service/openapi.json')).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});
afterAll(() => homeserver.remove());

const nasty = [
  ...[
    '',
    '0',
    '-1',
    '1e9',
    '9'.repeat(30),
    'NaN',
    'null',
    'true',
    '..',
    '../..',
    '%',
    '%00',
    '%ff',
    ' ',
    '\t',
  ],
  ...[
    '\0',
    'a\0b',
    '\u202e',
    '😀',
    'é'.normalize('NFD'),
    'x'.repeat(300),
    'x'.repeat(900),
    "'; drop table users; --",
  ],
  ...[
    '{{7*7}}',
    '<script>',
    '__proto__',
    'constructor',
    'toString',
    '$event',
    '@:',
    '!:',
    '#:',
    '@x',
    'm.room.member',
  ],
];
/** Existing identifiers, so that calls get past the first check. The caller's own aren't included. */
const real = () => [
  '@bob:localhost',
  '@nobody:localhost',
  roomId,
  eventId,
  'localhost',
  '1',
  'm.room.message',
];

const text = fc.oneof(
  fc.constantFrom(...nasty),
  fc.constant('').chain(() => fc.constantFrom(...real())),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.constantFrom(2 ** 53, -(2 ** 60), 1e308, Number.MIN_VALUE),
  fc.boolean(),
  fc.constant(null),
);

/** Generates JSON that fits the schema in its names, and sometimes in its types too. */
function bodyFor(operation: Operation): fc.Arbitrary<string> {
  const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: JsonSchema }> } };
  const schema = requestBody?.content['application/json']?.schema;
  const shaped = schema ? fitting(schema, 0).map((value) => JSON.stringify(value) ?? '') : fc.constant('{}');
  return fc.oneof(
    { weight: 8, arbitrary: shaped },
    { weight: 3, arbitrary: fc.json() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...['', '{', '[]', 'null', '"text"', '{"a":1}{', '\ud800', '{"type":"\\ud800","reason":"\\udfff"}'],
        ...['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":1}}', '{"a":1,"a":2}'],
        `${'['.repeat(2000)}${']'.repeat(2000)}`,
        `{"content":${'{"a":'.repeat(400)}1${'}'.repeat(400)}}`,
        JSON.stringify({ reason: 'x'.repeat(100_000), body: 'y'.repeat(100_000) }),
      ),
    },
  );
}

type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  const?: unknown;
};

function fitting(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const honest = ((): fc.Arbitrary<unknown> => {
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => fitting(choice, depth + 1)));
    const [type] = [schema.type].flat();
    if (type === 'object') {
      const fields = Object.entries(schema.properties ?? {}).map(
        ([name, property]) =>
          [name, fc.option(fitting(property, depth + 1), { nil: undefined, freq: 3 })] as const,
      );
      return fields.length > 0
        ? fc.record(Object.fromEntries(fields))
        : fc.dictionary(text, scalar, { maxKeys: 3 });
    }
    if (type === 'array') return fc.array(fitting(schema.items ?? {}, depth + 1), { maxLength: 3 });
    if (type === 'integer') return fc.oneof(fc.integer(), fc.maxSafeInteger());
    if (type === 'boolean') return fc.boolean();
    if (type === 'string') return text;
    return scalar;
  })();
  return fc.oneof({ weight: 6, arbitrary: honest }, { weight: 1, arbitrary: scalar });
}

/** Excludes calls that would end the caller's own session, and replies that never end. */
const harmless = ({ path }: { path: string }) =>
  !/\/(logout|deactivate|delete_devices|password|stream$)/.test(path);

test('no call of any endpoint gets a 5xx', { timeout: 120_000 }, async () => {
  const { services } = homeserver;
  const { accessToken: token } = await openSession(services, '@admin:localhost');

  const request = fc.nat().chain((index) => {
    const candidates = operations.filter(harmless);
    const chosen = candidates[index % candidates.length] as (typeof operations)[number];
    const parameters = chosen.operation.parameters as { name: string; in: string }[];
    return fc.record({
      method: fc.constant(chosen.method),
      path: fc
        .array(text, { minLength: 6, maxLength: 6 })
        .map((values) =>
          chosen.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent((values.pop() ?? '').toWellFormed())),
        ),
      query: fc.dictionary(
        fc.oneof(
          fc.constantFrom(
            'from',
            'limit',
            ...parameters.filter((one) => one.in === 'query').map((one) => one.name),
          ),
          text,
        ),
        text,
        { maxKeys: 4 },
      ),
      body: ['GET', 'HEAD'].includes(chosen.method) ? fc.constant(undefined) : bodyFor(chosen.operation),
      signedIn: fc.boolean().map((unlucky) => !unlucky || chosen.path.includes('/admin/')),
    });
  });

  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, body, signedIn }) => {
      const search = new URLSearchParams(
        Object.entries(query).map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]),
      );
      const reply = await call(
        homeserver.url,
        method,
        `${path}?${search}`,
        signedIn ? token : undefined,
        body,
      );
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(500);
      if (reply.status === 401 && reply.body.errcode === undefined) {
        // The start of interactive authentication isn't an error.
        expect(reply.body).toMatchObject({ session: expect.any(String), flows: expect.any(Array) });
      } else if (reply.status >= 400) {
        expect(reply.body).toMatchObject({
          errcode: expect.stringMatching(/^[A-Z][A-Z0-9_.]*$/),
          error: expect.any(String),
        });
      }
    }),
    { numRuns: isMatrix ? 1_500 : 400 },
  );

  expect((await homeserver.as('guest').get('/_chat/client/versions')).status).toBe(200);
  const file = homeserver.config.database;
  if (file.name === 'sqlite3') {
    const database = new SqliteDatabase(file.file, { readonly: true });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.close();
  }
});
