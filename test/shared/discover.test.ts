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
