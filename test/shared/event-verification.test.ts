import { generateKeyPairSync, sign, webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../shared/api/common.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { checkContentHash, checkSignature } from '../../shared/event-verification.ts';
import { type RoomVersion, redactEvent } from '../../shared/redaction.ts';

const subtle = webcrypto.subtle as SubtleCrypto;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
const held = {
  server: 'home.example',
  keys: { 'ed25519:1': unpadded(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)) },
};

/** Creates an event as a server would, hashed and signed by the room version's rules. */
async function signedEvent(fields: JsonObject = {}, version: RoomVersion = '11'): Promise<JsonObject> {
  const event: JsonObject = {
    type: 'm.room.message',
    room_id: '!room:home.example',
    sender: '@mallory:home.example',
    origin_server_ts: 1_700_000_000_000,
    depth: 12,
    auth_events: [],
    prev_events: ['$before'],
    content: { msgtype: 'm.text', body: 'Grüße 🚪' },
    ...fields,
  };
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(canonicalJson(event)));
  event.hashes = { sha256: unpadded(Buffer.from(digest)) };
  const signature = sign(null, Buffer.from(canonicalJson(redactEvent(event, version))), privateKey);
  event.signatures = { 'home.example': { 'ed25519:1': unpadded(signature) } };
  return { ...event, unsigned: { age_ts: 5 } };
}

test('an unchanged event is valid', async () => {
  const event = await signedEvent();
  expect(await checkContentHash(subtle, event)).toEqual({ result: 'holds' });
  expect(await checkSignature(subtle, event, held)).toEqual({
    result: 'holds',
    server: 'home.example',
    keyId: 'ed25519:1',
  });
});

test.each<RoomVersion>(['1', '6', '9', '12'])(
  'a signature by the rules of room version %s is valid',
  async (version) => {
    const event = await signedEvent(
      {
        type: 'm.room.member',
        state_key: '@x:y',
        origin: 'home.example',
        content: { membership: 'join', reason: 'x' },
      },
      version,
    );
    expect((await checkSignature(subtle, event, held)).result).toBe('holds');
  },
);

test('changed unsigned content only fails the hash', async () => {
  const event = await signedEvent();
  const changed = { ...event, content: { msgtype: 'm.text', body: 'something else' } };
  expect(await checkContentHash(subtle, changed)).toEqual({ result: 'differs' });
  expect((await checkSignature(subtle, changed, held)).result).toBe('holds');
});

test.each([
  ['another sender of the same server', { sender: '@alice:home.example' }],
  ['another room', { room_id: '!other:home.example' }],
  ['another time', { origin_server_ts: 1 }],
])('%s breaks the signature', async (_, change) => {
  const event = { ...(await signedEvent()), ...change };
  expect((await checkSignature(subtle, event, held)).result).toBe('differs');
});

const withSafeLetters = (event: object, name: string) =>
  JSON.parse(JSON.stringify(event), (key, value) =>
    key === name ? value.replaceAll('+', '-').replaceAll('/', '_') : value,
  );

test('hashes and signatures in URL-safe Base64 are valid', async () => {
  // Among 20 events, both characters in which the alphabets differ occur.
  const seen = new Set<string>();
  for (let depth = 0; depth < 20; depth++) {
    const event = await signedEvent({ depth });
    // The signature covers the hash, so each is replaced separately.
    const hashed = withSafeLetters(event, 'sha256');
    const signed = withSafeLetters(event, 'ed25519:1');
    for (const letter of JSON.stringify([hashed.hashes, signed.signatures])) seen.add(letter);
    expect((await checkContentHash(subtle, hashed)).result).toBe('holds');
    expect((await checkSignature(subtle, signed, held)).result).toBe('holds');
  }
  expect([...seen]).toEqual(expect.arrayContaining(['-', '_']));
});

test.each<[string, unknown, string]>([
  ['names its redaction', { redacted_because: {} }, 'redacted'],
  ['names only the ID of its redaction', { redacted_by: '$redaction' }, 'redacted'],
  ['names no redaction', { age_ts: 5 }, 'differs'],
  ['has no unsigned data', undefined, 'differs'],
  ['has unsigned data of another type', 'redacted_because', 'differs'],
])('a redacted event that %s fails its hash and keeps its signature', async (_, unsigned, result) => {
  const event = await signedEvent();
  const redacted = { ...redactEvent(event, '11'), ...(unsigned !== undefined && { unsigned }) };
  expect(await checkContentHash(subtle, redacted)).toEqual({ result });
  expect((await checkSignature(subtle, redacted, held)).result).toBe('holds');
});

test('reports a missing key', async () => {
  const event = await signedEvent();
  const other = { server: 'other.example', keys: held.keys };
  expect(await checkSignature(subtle, event, other)).toEqual({
    result: 'key_not_held',
    server: 'home.example',
  });
  expect(await checkSignature(subtle, event, { ...held, keys: {} })).toEqual({
    result: 'key_not_held',
    server: 'home.example',
  });
});

test.each([
  ['no content', {}],
  ['hashes and signatures of the wrong shape', { sender: '@a:home.example', hashes: 'x', signatures: [] }],
  ['a float', { sender: '@a:home.example', content: { x: 0.5 }, hashes: { sha256: 'AAAA' } }],
])('reports an event with %s as uncheckable', async (_, event) => {
  expect((await checkContentHash(subtle, event)).result).toBe('impossible');
  expect((await checkSignature(subtle, event, held)).result).toBe('impossible');
});

test("a hash or a signature that isn't Base64 fails", async () => {
  const event = await signedEvent();
  const broken = {
    ...event,
    hashes: { sha256: '?' },
    signatures: { 'home.example': { 'ed25519:1': '!!' } },
  };
  expect((await checkContentHash(subtle, broken)).result).toBe('differs');
  expect((await checkSignature(subtle, broken, held)).result).toBe('differs');
});
