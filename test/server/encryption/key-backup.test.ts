import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const at = (rest: string) => `/_chat/client/v3/room_keys/${rest}`;
const key = (change: object = {}) => ({
  first_message_index: 5,
  forwarded_count: 3,
  is_verified: false,
  session_data: { ciphertext: 'x' },
  ...change,
});
const algorithm = 'm.megolm_backup.v1.curve25519-aes-sha2';
const begin = async (person: string) =>
  (await homeserver.as(person).post(at('version'), { algorithm, auth_data: { public_key: 'x' } })).body
    .version;

test("a backup is created, read, changed and deleted, and its version isn't reused", async () => {
  const alice = homeserver.as('alice');
  expect(await alice.get(at('version'))).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  const version = await begin('alice');
  const backup = { algorithm, auth_data: { public_key: 'x' }, count: 0, etag: '0', version };
  expect((await alice.get(at('version'))).body).toEqual(backup);
  expect((await alice.get(at(`version/${version}`))).body).toEqual(backup);
  const put = (body: object, of = version) => alice.put(at(`version/${of}`), body);
  expect(await put({ algorithm, auth_data: { public_key: 'y' }, version })).toMatchObject({
    status: 200,
    body: {},
  });
  expect((await alice.get(at('version'))).body.auth_data).toEqual({ public_key: 'y' });
  const refusals: [object, string, number, string][] = [
    [{ algorithm: 'other', auth_data: {} }, version, 400, 'M_INVALID_PARAM'],
    [{ algorithm, auth_data: {}, version: '77' }, version, 400, 'M_INVALID_PARAM'],
    [{ algorithm, auth_data: 'x' }, version, 400, 'M_BAD_JSON'],
    [{ algorithm }, version, 400, 'M_MISSING_PARAM'],
    [{ algorithm, auth_data: {} }, '77', 404, 'M_NOT_FOUND'],
    [{ algorithm, auth_data: {} }, 'x', 404, 'M_NOT_FOUND'],
  ];
  for (const [body, of, status, errcode] of refusals) {
    expect(await put(body, of), JSON.stringify(body)).toMatchObject({ status, body: { errcode } });
  }
  const second = await begin('alice');
  expect((await alice.get(at('version'))).body.version).toBe(second);
  for (let twice = 0; twice < 2; twice++) {
    expect(await alice.delete(at(`version/${second}`))).toMatchObject({ status: 200, body: {} });
  }
  expect(await alice.delete(at('version/77'))).toMatchObject({
    status: 404,
    body: { errcode: 'M_NOT_FOUND' },
  });
  expect(await alice.get(at(`version/${second}`))).toMatchObject({ status: 404 });
  expect((await alice.get(at('version'))).body.version).toBe(version);
  const third = await begin('alice');
  expect([version, second]).not.toContain(third);
  expect(await homeserver.as('bob').get(at(`version/${third}`))).toMatchObject({ status: 404 });
});

test('of two keys of one session the better one is kept', async () => {
  const bob = homeserver.as('bob');
  const version = await begin('bob');
  const session = at(`keys/${encodeURIComponent('!r:localhost')}/s?version=${version}`);
  const steps: [object, string][] = [
    [{}, '1'],
    [{}, '1'],
    [{ first_message_index: 6 }, '1'],
    [{ forwarded_count: 4 }, '1'],
    [{ forwarded_count: 2 }, '2'],
    [{ first_message_index: 4, forwarded_count: 9 }, '3'],
    [{ first_message_index: 9, is_verified: true }, '4'],
    [{ first_message_index: 1 }, '4'],
    [{ first_message_index: 8, is_verified: true, session_data: { best: true } }, '5'],
  ];
  for (const [change, etag] of steps) {
    expect((await bob.put(session, key(change))).body, JSON.stringify(change)).toEqual({ etag, count: 1 });
  }
  expect((await bob.get(session)).body).toEqual(
    key({ first_message_index: 8, is_verified: true, session_data: { best: true } }),
  );
});

test('keys are stored, read and deleted one by one, by room, and all together', async () => {
  const carol = homeserver.as('carol');
  const version = await begin('carol');
  const url = (room?: string, session?: string, of = version) =>
    at(
      `${['keys', room, session]
        .filter((part) => part !== undefined)
        .map((part) => encodeURIComponent(part))
        .join('/')}?version=${of}`,
    );
  const [one, two] = ['!one:localhost', '!two:localhost'];
  expect((await carol.get(url())).body).toEqual({ rooms: {} });
  expect((await carol.get(url(one))).body).toEqual({ sessions: {} });
  expect(await carol.get(url(one, 'a'))).toMatchObject({ status: 404, body: { errcode: 'M_NOT_FOUND' } });
  expect((await carol.put(url(one, 'a'), key())).body).toEqual({ count: 1, etag: '1' });
  expect((await carol.put(url(one), { sessions: { a: key(), b: key() } })).body).toEqual({
    count: 2,
    etag: '2',
  });
  const rooms = { [one]: { sessions: { a: key(), c: key() } }, [two]: { sessions: { d: key() } } };
  expect((await carol.put(url(), { rooms })).body).toEqual({ count: 4, etag: '3' });
  expect((await carol.get(url())).body).toEqual({
    rooms: { [one]: { sessions: { a: key(), b: key(), c: key() } }, [two]: { sessions: { d: key() } } },
  });
  expect((await carol.get(at('version'))).body).toMatchObject({ count: 4, etag: '3' });
  expect(await homeserver.as('bob').get(url(undefined, undefined, '99'))).toMatchObject({ status: 404 });

  expect((await carol.delete(url(one, 'a'))).body).toEqual({ count: 3, etag: '4' });
  expect((await carol.delete(url(one, 'a'))).body).toEqual({ count: 3, etag: '4' });
  expect((await carol.delete(url(one))).body).toEqual({ count: 1, etag: '5' });
  expect((await carol.delete(url())).body).toEqual({ count: 0, etag: '6' });

  const refusals: [string, object, number, string][] = [
    [at('keys'), { rooms: {} }, 400, 'M_MISSING_PARAM'],
    [url(), {}, 400, 'M_MISSING_PARAM'],
    [url(), { rooms: { [one]: {} } }, 400, 'M_MISSING_PARAM'],
    [url(one), { sessions: [] }, 400, 'M_BAD_JSON'],
    [url(one, 'a'), key({ first_message_index: 1.5 }), 400, 'M_BAD_JSON'],
    [url(one, 'a'), key({ is_verified: 'x' }), 400, 'M_BAD_JSON'],
    [url(one, 'a'), key({ session_data: { x: 'x'.repeat(70_000) } }), 413, 'M_TOO_LARGE'],
    [url(one, 'a'.repeat(256)), key(), 400, 'M_INVALID_PARAM'],
    [url(one, 'a', '99'), key(), 404, 'M_NOT_FOUND'],
    [url(one, 'a', 'x'), key(), 404, 'M_NOT_FOUND'],
  ];
  for (const [where, body, status, errcode] of refusals) {
    expect(await carol.put(where, body), where).toMatchObject({ status, body: { errcode } });
  }
  const next = await begin('carol');
  expect(await carol.put(url(one, 'a'), key())).toMatchObject({
    status: 403,
    body: { errcode: 'M_WRONG_ROOM_KEYS_VERSION', current_version: next },
  });
});
