import { expect, test } from 'vitest';
import { ConnectionFailure, type Send } from '../../shared/connection.ts';
import { discover } from '../../shared/discover.ts';

const silent = new ConnectionFailure('timeout', 'no answer', {});

test.each([
  ['https://chat.example:8448', true, 'speaks_http'],
  ['https://chat.example:8448', false, 'timeout'],
  ['http://chat.example:8448', true, 'timeout'],
])(
  'of %s, where what is encrypted gets no answer and http one: %s, it says %s',
  async (address, isThere, code) => {
    const isPlainThere = isThere && address.startsWith('https:');
    const send: Send = async ({ url }) => {
      if (!url.startsWith('http:') || !isPlainThere) throw silent;
      return { status: 200, body: { versions: ['v1.16'] } };
    };
    await expect(discover(send, address)).rejects.toMatchObject({ code });
  },
);

/** Answers at some addresses; everywhere else there is a page, as of a website. */
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
])('of a website whose .well-known names %j it uses %s', async (base_url, expected) => {
  const send = website({
    'https://example.org/.well-known/matrix/client': { 'm.homeserver': { base_url } },
    [`${expected}/_matrix/client/versions`]: { versions: ['v1.16'] },
  });
  const found = discover(send, 'example.org');
  if (expected) expect(await found).toMatchObject({ baseUrl: expected });
  else await expect(found).rejects.toMatchObject({ code: 'not_homeserver' });
});
