/** Secrets made at random, and how they are kept. */
import { hash, randomBytes, randomInt } from 'node:crypto';

const secretSize = 32;
/** Random bytes for the next secrets: to ask for many costs as much as to ask for a few. */
let random = Buffer.alloc(0);

/** A secret that nobody guesses: 256 bits in unpadded base64url. */
export function randomSecret(): string {
  if (random.length === 0) random = randomBytes(64 * secretSize);
  const own = random.subarray(0, secretSize);
  random = random.subarray(secretSize);
  const secret = own.toString('base64url');
  own.fill(0);
  return secret;
}

/** Ten capital letters, as the reference homeserver names devices. */
export const randomDeviceId = () =>
  String.fromCharCode(...Array.from({ length: 10 }, () => 65 + randomInt(26)));

/** How tokens are stored and looked up. They are random, so a plain digest gives nothing away. */
export const tokenHash = (token: string) => hash('sha256', token, 'base64url');
