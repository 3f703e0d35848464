import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contentHash,
  finishEvent,
  type Pdu,
  referenceEventId,
} from '../../../server/conversation/rooms/events/event.ts';
import {
  loadSigningKey,
  signingKey,
  signJson,
  verifyJson,
} from '../../../server/conversation/rooms/signing-key.ts';
import { redactEvent } from '../../../shared/redaction.ts';

/** The seed of the Matrix specification's appendices, "Cryptographic Test Vectors". */
const seed = Buffer.from('YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1', 'base64');
const key = signingKey('1', seed);

describe('the published vectors', () => {
  test.each([
    [{}, 'K8280/U9SSy9IVtjBuVeLr+HpOB4BQFWbg+UZaADMtTdGYI7Geitb76LTrr5QV/7Xg4ahLwYGYZzuHGZKM5ZAQ'],
    [
      { one: 1, two: 'Two' },
      'KqmLSbO39/Bzb0QIYE82zqLwsA+PDzYIpIRA2sRQ4sL53+sN6/fpNSoqE7BP7vBZhG6kYdD13EIMJpvhJI+6Bw',
    ],
  ])('signing %j', (object, signature) => {
    expect(signJson(object, 'domain', key).signatures).toEqual({ domain: { 'ed25519:1': signature } });
  });

  // From room version 1, where the event ID is part of the event.
  test.each([
    [
      'a minimal event',
      { event_id: '$0:domain', origin: 'domain', origin_server_ts: 1000000, type: 'X' },
      '6tJjLpXtggfke8UxFhAKg82QVkJzvKOVOOSjUDK4ZSI',
      '2Wptgo4CwmLo/Y8B8qinxApKaCkBG2fjTWB7AbP5Uy+aIbygsSdLOFzvdDjww8zUVKCmI02eP9xtyJxc/cLiBA',
    ],
    [
      'an event with content',
      {
        content: { body: 'Here is the message content' },
        event_id: '$0:domain',
        origin: 'domain',
        origin_server_ts: 1000000,
        type: 'm.room.message',
        room_id: '!r:domain',
        sender: '@u:domain',
      },
      'onLKD1bGljeBWQhWZ1kaP9SorVmRQNdN5aM2JYU2n/g',
      'Wm+VzmOUOz08Ds+0NTWb1d4CZrVsJSikkeRxh6aCcUwu6pNC78FunoD7KNWzqFn241eYHYMGCA5McEiVPdhzBA',
    ],
  ])('%s', (_, fields, sha256, signature) => {
    const event = { ...fields, signatures: {}, unsigned: { age_ts: 1000000 } };
    expect(contentHash(event)).toBe(sha256);
    const redacted = redactEvent({ ...event, hashes: { sha256 } }, '1');
    expect(signJson(redacted, 'domain', key).signatures).toEqual({ domain: { 'ed25519:1': signature } });
  });
});

/** Created by a deployed server. The key comes from its `key/v2/server`. */
const deployed = {
  publicKey: 'VSBCmyVZXe1HYsWMO0iGU3Fq4iBHBrXOyR7xTiHWJOI',
  keyId: 'ed25519:a_LOei',
  eventId: '$XWBzocvsNiSLdGrxGPg3JGlqC4s3LEiLUCCUoO0XOFQ',
  event: {
    signatures: {
      localhost: {
        'ed25519:a_LOei':
          '/wO1Vawegu+nSe/DWESCBOfBS8hnH2GLnwI9RGR02q02uZFnylNC2dzLQx0dMDwOjYSCZQvni8+HaJ5XAfnnDw',
      },
    },
    unsigned: { age_ts: 1795169554237 },
    room_id: '!WBjPAkcrvDtAytCzdz:localhost',
    auth_events: ['$FvOglCF0tm14coBnFe1nyPCPflVJCDEc7NcORe3oEHw'],
    prev_events: ['$FvOglCF0tm14coBnFe1nyPCPflVJCDEc7NcORe3oEHw'],
    content: { displayname: 'refalice24829', membership: 'join' },
    depth: 2,
    hashes: { sha256: 'JGia+axfq2GbxIKwL5AHGevIEGXqbuhjymKQWpVir+Q' },
    origin_server_ts: 1795169554237,
    sender: '@refalice24829:localhost',
    state_key: '@refalice24829:localhost',
    type: 'm.room.member',
  },
};

describe('an event of Synapse', () => {
  test('has the hash, ID and signature computed here', () => {
    expect(contentHash(deployed.event)).toBe(deployed.event.hashes.sha256);
    expect(referenceEventId(deployed.event, '11')).toBe(deployed.eventId);
    const redacted = redactEvent(deployed.event, '11');
    expect(verifyJson(redacted, 'localhost', deployed.keyId, deployed.publicKey)).toBe(true);
  });

  test.each([
    ['the sender is another user', { sender: '@mallory:localhost' }],
    ['the time is later', { origin_server_ts: 1795169554238 }],
    ['its hash is another', { hashes: { sha256: contentHash({}) } }],
  ])("isn't signed if %s", (_, change) => {
    const forged = redactEvent({ ...deployed.event, ...change }, '11');
    expect(verifyJson(forged, 'localhost', deployed.keyId, deployed.publicKey)).toBe(false);
    expect(referenceEventId(forged, '11')).not.toBe(deployed.eventId);
  });

  test('keeps its ID when redacted', () => {
    expect(referenceEventId(redactEvent(deployed.event, '11'), '11')).toBe(deployed.eventId);
  });
});

const pdu: Pdu = {
  auth_events: [],
  content: { body: 'x' },
  depth: 1,
  origin_server_ts: 1,
  prev_events: [],
  prev_state: [],
  room_id: '!r:x',
  sender: '@a:x',
  type: 'm.room.message',
  unsigned: { age_ts: 1 },
};

describe('an event created here', () => {
  test('has its hash, a signature, and the ID derived from them', () => {
    const { eventId, pdu: signed, json } = finishEvent(pdu, 'x', key);
    expect(JSON.parse(json)).toEqual(signed);
    expect(contentHash(signed)).toBe(signed.hashes.sha256);
    expect(referenceEventId(signed, '11')).toBe(eventId);
    expect(verifyJson(redactEvent(signed, '11'), 'x', key.keyId, key.publicKey)).toBe(true);
  });

  const bytes = (count: number) => 'é'.repeat(count / 2);
  test.each<[string, Partial<Pdu>]>([
    ['type', { type: bytes(256) }],
    ['state key', { state_key: bytes(256) }],
    ['sender', { sender: `@${'a'.repeat(255)}:x` }],
    ['room', { room_id: `!${'a'.repeat(255)}:x` }],
    ['content', { content: { body: bytes(65_600) } }],
  ])('is refused if its %s is too large', (_, change) => {
    expect(() => finishEvent({ ...pdu, ...change }, 'x', key)).toThrow(
      expect.objectContaining({ status: 413, errcode: 'M_TOO_LARGE' }),
    );
  });

  test('may be 65,536 bytes long, and not one more', () => {
    const room = 65_536 - finishEvent({ ...pdu, content: { body: '' } }, 'x', key).json.length;
    const largest = finishEvent({ ...pdu, content: { body: 'a'.repeat(room) } }, 'x', key);
    expect(Buffer.byteLength(largest.json)).toBe(65_536);
    expect(() => finishEvent({ ...pdu, content: { body: 'a'.repeat(room + 1) } }, 'x', key)).toThrow(
      expect.objectContaining({ status: 413 }),
    );
  });

  test.each([
    ['a float', 0.5],
    ['an integer out of range', 2 ** 53],
  ])('is refused if its content holds %s', (_, value) => {
    expect(() => finishEvent({ ...pdu, content: { value } }, 'x', key)).toThrow(
      expect.objectContaining({ status: 400, errcode: 'M_BAD_JSON' }),
    );
  });
});

describe('the key file', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-key-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('is created once, private to its owner', async () => {
    const path = join(directory, 'made', 'signing.key');
    const keys = await Promise.all([loadSigningKey(path), loadSigningKey(path), loadSigningKey(path)]);
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(/^ed25519 a_[A-Za-z]{4} [A-Za-z0-9+/]{43}\n$/);
    expect((await loadSigningKey(path)).publicKey).toBe(keys[0]?.publicKey);
  });

  test("is read in Synapse's format", async () => {
    const path = join(directory, 'deployed.key');
    await writeFile(path, 'ed25519 1 YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1\ned25519 old AAAA\n');
    expect(await loadSigningKey(path)).toMatchObject({ keyId: 'ed25519:1', publicKey: key.publicKey });
  });

  test.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['a seed with garbage in it', `ed25519 1 ${'A'.repeat(20)}%%${'A'.repeat(23)}`],
    ['other content', 'hello'],
    ['a short seed', 'ed25519 1 YJDB'],
    ['another algorithm', 'rsa 1 YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1'],
  ])('with %s is refused and left alone', async (_, text) => {
    const path = join(directory, 'bad.key');
    await writeFile(path, text);
    await expect(loadSigningKey(path)).rejects.toThrow(/signing_key_path/);
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
