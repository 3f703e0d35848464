/** Random secrets, token hashes and signed tokens. */
import { createHash, createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const secretSize = 32;
/** Pool of random bytes: generating many takes as long as a few. */
let random = Buffer.alloc(0);

/** Returns 256 random bits in unpadded base64url. */
export function randomSecret(): string {
  if (random.length === 0) random = randomBytes(64 * secretSize);
  const own = random.subarray(0, secretSize);
  random = random.subarray(secretSize);
  const secret = own.toString('base64url');
  own.fill(0);
  return secret;
}

/** Returns ten capital letters, like Synapse. */
export const randomDeviceId = () =>
  String.fromCharCode(...Array.from({ length: 10 }, () => 65 + randomInt(26)));

/** Returns the form in which a token is stored. Tokens are random, so they need no salt. */
export const tokenHash = (token: string) => hash('sha256', token, 'base64url');

/** Stateless tokens that any process with the same secret can verify. */
type SignedTokens = {
  /** @param expires in milliseconds since the Unix epoch */
  issue(expires: number, purpose: string): string;
  /** Returns undefined for an invalid token. Doesn't check the expiry. */
  verify(token: string): TokenClaims | undefined;
};

type TokenClaims = { expires: number; isFor(purpose: string): boolean };

const randomLength = 16;
const timeLength = 6;
const digestLength = 12;
const macLength = 17;

/** @param secret the key of their HMAC */
export function createSignedTokens(secret: string): SignedTokens {
  const macOf = (text: Buffer) => createHmac('sha256', secret).update(text).digest().subarray(0, macLength);
  return {
    issue(expires, purpose) {
      const time = Buffer.alloc(timeLength);
      time.writeUIntBE(expires, 0, timeLength);
      const text = Buffer.concat([randomBytes(randomLength), time, digestOf(purpose)]);
      return Buffer.concat([text, macOf(text)]).toString('base64url');
    },
    verify(token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== randomLength + timeLength + digestLength + macLength) return undefined;
      // A single-use token must have only one encoding.
      if (bytes.toString('base64url') !== token) return undefined;
      const text = bytes.subarray(0, -macLength);
      if (!timingSafeEqual(bytes.subarray(-macLength), macOf(text))) return undefined;
      return {
        expires: text.readUIntBE(randomLength, timeLength),
        isFor: (purpose) => text.subarray(-digestLength).equals(digestOf(purpose)),
      };
    },
  };
}

const digestOf = (purpose: string) => createHash('sha256').update(purpose).digest().subarray(0, digestLength);
