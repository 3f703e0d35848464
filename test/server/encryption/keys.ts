/** Keys and signatures, created as a client would. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { signedText, unpaddedBase64 } from '../../../server/conversation/rooms/signing-key.ts';
import type { JsonObject } from '../../../shared/api/common.ts';
import { type Caller, call, type Reply, type TestHomeserver } from '../homeserver.ts';

export type Key = { publicKey: string; sign(text: string): string };

export function newKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    publicKey: unpaddedBase64(Buffer.from(x, 'base64url')),
    sign: (text) => unpaddedBase64(sign(null, Buffer.from(text), privateKey)),
  };
}

type Signed = JsonObject & { signatures?: Record<string, Record<string, string>> };

/**
 * Returns the object with the user's signature added.
 *
 * @param name key name, such as a device ID
 */
export function signed(object: Signed, userId: string, name: string, key: Key): Signed {
  const { signatures = {} } = object;
  const own = { ...signatures[userId], [`ed25519:${name}`]: key.sign(signedText(object)) };
  return { ...object, signatures: { ...signatures, [userId]: own } };
}

export const crossSigningKey = (userId: string, usage: string, { publicKey }: Key): Signed => ({
  user_id: userId,
  usage: [usage],
  keys: { [`ed25519:${publicKey}`]: publicKey },
});

/** Returns a user's three cross-signing keys with their private parts. */
export function crossSigning(userId: string) {
  const [master, selfSigning, userSigning] = [newKey(), newKey(), newKey()];
  const byMaster = (usage: string, key: Key) =>
    signed(crossSigningKey(userId, usage, key), userId, master.publicKey, master);
  return {
    master,
    selfSigning,
    userSigning,
    upload: {
      master_key: crossSigningKey(userId, 'master', master),
      self_signing_key: byMaster('self_signing', selfSigning),
      user_signing_key: byMaster('user_signing', userSigning),
    },
  };
}

/** Returns a device's signed keys. */
export const deviceKeys = (userId: string, deviceId: string, key: Key): Signed =>
  signed(
    {
      user_id: userId,
      device_id: deviceId,
      algorithms: ['m.olm.v1.curve25519-aes-sha2', 'm.megolm.v1.aes-sha2'],
      keys: { [`ed25519:${deviceId}`]: key.publicKey, [`curve25519:${deviceId}`]: 'curve' },
    },
    userId,
    deviceId,
    key,
  );

export type Device = Caller & { deviceId: string };

/** Logs in another device of a user with the password `secret`. */
export async function logIn({ url }: TestHomeserver, user: string, deviceId?: string): Promise<Device> {
  const { status, body } = await call(url, 'POST', '/_chat/client/v3/login', undefined, {
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user },
    password: 'secret',
    ...(deviceId !== undefined && { device_id: deviceId }),
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  const send =
    (method: string) =>
    (path: string, content?: unknown): Promise<Reply> =>
      call(url, method, path, body.access_token, content);
  return {
    userId: body.user_id,
    deviceId: body.device_id,
    accessToken: body.access_token,
    get: send('GET'),
    post: send('POST'),
    put: send('PUT'),
    delete: send('DELETE'),
  };
}
