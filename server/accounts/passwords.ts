import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second of one core for each try. */
const cost = { N: 2 ** 15, r: 8, p: 3 };
const maximumMemory = 64 * 1024 * 1024;

/** A salted scrypt hash of a password, with its parameters in it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, { ...cost, maxmem: maximumMemory });
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/**
 * Whether this is the password of that hash. Without a hash (an unknown user, or one without a password)
 * it takes as long to say no, so that nobody learns which accounts exist.
 */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? decoy).split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: maximumMemory };
  const derived = await derive(password.normalize('NFKC'), Buffer.from(salt, 'base64'), 32, options);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored != null;
}

const decoy = [
  'scrypt',
  cost.N,
  cost.r,
  cost.p,
  randomBytes(16).toString('base64'),
  randomBytes(32).toString('base64'),
].join('$');
