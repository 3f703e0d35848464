import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createFairTurns, type FairTurns } from '../core/fair-turns.ts';
import { MatrixError } from '../core/matrix-error.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** 32 MiB and about a tenth of a second of one core for each try; tests of other things make it less. */
export const passwordCost = { N: 2 ** 15, r: 8, p: 3 };
const maximumMemory = 64 * 1024 * 1024;

/**
 * The hashes that are worked out at once take half of Node's four threads at the most, and leave a core:
 * however many people log in, files are read and other requests answered meanwhile.
 */
const width = Math.max(1, Math.min(2, availableParallelism() - 1));
/** A hundred take about ten seconds; the next are asked to come back. */
const mostWaiting = { each: 100, all: 1_000 };
const turns = createFairTurns(width, mostWaiting);

/** @throws MatrixError 429 where too many wait for theirs already */
async function deriveInTurn(
  asker: string,
  password: string,
  salt: Buffer,
  options: ScryptOptions,
): Promise<Buffer> {
  return inTurn(turns, asker, () =>
    derive(password.normalize('NFKC'), salt, 32, { ...options, maxmem: maximumMemory }),
  );
}

async function inTurn(line: FairTurns, asker: string, work: () => Promise<Buffer>): Promise<Buffer> {
  const done = await line.take(asker, work);
  if (done) return done.result;
  throw new MatrixError(429, 'M_LIMIT_EXCEEDED', 'Too many logins at the moment. Try again soon.', {
    retry_after_ms: 5_000,
  });
}

/**
 * All who set passwords are one asker among those who log in, and take turns with one another: however many accounts
 * are made, from however many networks, nobody is kept from logging in, not even whoever logs in from such a network.
 */
const setters = 'set';
const settersTurns = createFairTurns(width, mostWaiting);

/**
 * A salted scrypt hash of a password, with its parameters in it.
 *
 * @param asker whose turn it takes: a user who is signed in, or the network of whoever registers
 * @throws MatrixError 429 where too many passwords are being worked on
 */
export async function hashPassword(asker: string, password: string): Promise<string> {
  const salt = randomBytes(16);
  const derived = await inTurn(settersTurns, asker, () =>
    deriveInTurn(setters, password, salt, passwordCost),
  );
  return asText(salt, derived);
}

/**
 * Whether this is the password of that hash. Without a hash (an unknown user, or one without a password)
 * it takes as long to say no, so that nobody learns which accounts exist.
 *
 * @param asker whose turn it takes: a network, or a user who is signed in
 * @throws MatrixError 429 where too many passwords are being worked on
 */
export async function verifyPassword(
  asker: string,
  password: string,
  stored: string | null | undefined,
): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? decoy()).split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const derived = await deriveInTurn(asker, password, Buffer.from(salt, 'base64'), options);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored != null;
}

function asText(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = passwordCost;
  return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
}

const decoy = () => asText(randomBytes(16), randomBytes(32));
