/** Secrets made at random, and how they are kept. */
import { createHash, createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

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

/**
 * Identifiers that are handed out and kept nowhere: any process which has the same secret can tell one that was given
 * from one that was made up, until when it is good, and what it was given for.
 */

type Seals = {
  /**
   * @param expires when it is good no longer, in milliseconds since the Unix epoch
   * @param about what it is for; any text
   */
  issue(expires: number, about: string): string;
  /** What an identifier says of itself; undefined for one that nobody here gave. */
  open(identifier: string): Opened | undefined;
};

type Opened = { expires: number; isAbout(about: string): boolean };

const randomLength = 16;
const timeLength = 6;
const digestLength = 12;
const macLength = 17;

/** @param secret known to those alone who may give such identifiers */
export function createSeals(secret: string): Seals {
  const macOf = (text: Buffer) => createHmac('sha256', secret).update(text).digest().subarray(0, macLength);
  return {
    issue(expires, about) {
      const time = Buffer.alloc(timeLength);
      time.writeUIntBE(expires, 0, timeLength);
      const text = Buffer.concat([randomBytes(randomLength), time, digestOf(about)]);
      return Buffer.concat([text, macOf(text)]).toString('base64url');
    },
    open(identifier) {
      const bytes = Buffer.from(identifier, 'base64url');
      if (bytes.length !== randomLength + timeLength + digestLength + macLength) return undefined;
      // One spelling each: what is good once must not be good in another.
      if (bytes.toString('base64url') !== identifier) return undefined;
      const text = bytes.subarray(0, -macLength);
      if (!timingSafeEqual(bytes.subarray(-macLength), macOf(text))) return undefined;
      return {
        expires: text.readUIntBE(randomLength, timeLength),
        isAbout: (about) => text.subarray(-digestLength).equals(digestOf(about)),
      };
    },
  };
}

const digestOf = (about: string) => createHash('sha256').update(about).digest().subarray(0, digestLength);
