import { expect, test } from 'vitest';
import { verifyJson } from '../../../server/conversation/rooms/signing-key.ts';
import { startHomeserver } from '../homeserver.ts';

test('anyone gets the self-signed signing key', async () => {
  const homeserver = await startHomeserver();
  const { keyId, publicKey } = homeserver.services.signingKey;
  for (const chat of ['/_chat', '/_matrix']) {
    const { status, body } = await homeserver.as('guest').get(`${chat}/key/v2/server`);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        server_name: 'localhost',
        verify_keys: { [keyId]: { key: publicKey } },
        old_verify_keys: {},
      },
    });
    expect(verifyJson(body, 'localhost', keyId, body.verify_keys[keyId].key)).toBe(true);
    const day = 24 * 60 * 60 * 1000;
    expect(Math.abs(body.valid_until_ts - Date.now() - day)).toBeLessThan(60_000);
  }
  await homeserver.remove();
});
