/** Secrets made at random, and how they are kept. */
import { hash, randomBytes, randomInt } from 'node:crypto';

/** A secret that nobody guesses: 256 bits in unpadded base64url. */
export const randomSecret = () => randomBytes(32).toString('base64url');

/** Ten capital letters, as the reference homeserver names devices. */
export const randomDeviceId = () =>
  String.fromCharCode(...Array.from({ length: 10 }, () => 65 + randomInt(26)));

/** How tokens are stored and looked up. They are random, so a plain digest gives nothing away. */
export const tokenHash = (token: string) => hash('sha256', token, 'base64url');
