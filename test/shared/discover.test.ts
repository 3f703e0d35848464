import { expect, test } from 'vitest';
import { parseAddress } from '../../shared/address.ts';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { discover } from '../../shared/discover.ts';
import { readWellKnown } from '../../shared/well-known.ts';

const silent = new ConnectionFailure('timeout', 'no answer', {});

test.each([
  ['https://chat.example:8448', true, 'speaks_http'],
  ['https://chat.example:8448', false, 'timeout'],
  ['http://chat.example:8448', true, 'timeout'],
])('for %s, with no answer over https and one over http: %s, says %s', async (address, isThere, code) => {
  const isPlainThere = isThere && address.startsWith('https:');
  const send: Send = async ({ url }) => {
    if (!url.startsWith('http:') || !isPlainThere) throw silent;
    return { status: 200, body: { versions: ['v1.16'] } };
  };
  await expect(discover(send, address)).rejects.toMatchObject({ code });
});

test.each([
  '1234',
  'not an address',
  'user@example.org',
  'exam_ple',
  'http://',
  'http://a..b',
  'ftp://example.org',
])("%s isn't an address", (typed) => {
  expect(() => parseAddress(typed)).toThrow(expect.objectContaining({ code: 'bad_address' }));
});

/** Returns a sender with replies for some URLs. All others return an HTML page, like a website. */
const website =
  (replies: Record<string, unknown>): Send =>
  async ({ url }) => ({ status: 200, body: replies[url] });

test.each(['example.org/matrix', 'https://example.org/matrix/', ' https://example.org/matrix// '])(
  'the path in %s is kept',
  async (address) => {
    const send = website({ 'https://example.org/matrix/_matrix/client/versions': { versions: ['v1.16'] } });
    expect(await discover(send, address)).toMatchObject({ baseUrl: 'https://example.org/matrix' });
  },
);

test.each([
  ['https://chat.example/matrix/', 'https://chat.example/matrix'],
  ['https://chat.example/', 'https://chat.example'],
  ['http://chat.example', undefined],
  ['', undefined],
  ['not an address', undefined],
])('for a website whose .well-known names %j it uses %s', async (base_url, expected) => {
  const send = website({
    'https://example.org/.well-known/matrix/client': { 'm.homeserver': { base_url } },
    [`${expected}/_matrix/client/versions`]: { versions: ['v1.16'] },
  });
  const found = discover(send, 'example.org');
  if (expected) expect(await found).toMatchObject({ baseUrl: expected });
  else await expect(found).rejects.toMatchObject({ code: 'not_homeserver' });
});

test.each([
  ['https://example.org', ['https://www.example.org/a', 'https://cdn.example/b'], true],
  ['http://127.0.0.1:8008', ['http://localhost:8009/a'], true],
  ['http://127.0.0.1:8008', ['https://www.example.org/a'], true],
  ['https://example.org', ['http://www.example.org/a'], false],
  ['https://example.org', ['http://localhost:8008/a'], false],
  ['http://example.org', ['http://www.example.org/a'], false],
  ['https://example.org', ['https://www.example.org/a', 'file:///etc/passwd'], false],
  ['https://example.org', Array(6).fill('https://example.org/again'), false],
])('the .well-known of %s is read through redirects to %s: %s', async (origin, targets, isRead) => {
  const left = [...targets];
  const asked: string[] = [];
  const send: Send = async ({ url, accessToken, reportsRedirect }) => {
    expect({ accessToken, reportsRedirect }).toEqual({ reportsRedirect: true });
    asked.push(url);
    const location = left.shift();
    return location === undefined
      ? { status: 200, body: 'found' }
      : { status: 302, body: undefined, location };
  };
  expect(await readWellKnown(send, origin)).toBe(isRead ? 'found' : undefined);
  if (isRead) expect(asked.slice(1)).toEqual(targets);
});
