/** Claims on documents that describe a job: only one of several consoles and watchers does it. */
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../api/common.ts';
import { fits } from '../fits.ts';
import type { Version } from './documents.ts';

const Id = Type.String({ minLength: 1, maxLength: 255 });

/** The field `claimed` of a document: the owner of the job. `page` is a string that no other page or watcher has. */
export const Claim = Type.Object({ by: Id, at: SafeInteger, page: Id });
export type Claim = Static<typeof Claim>;
const Claimed = Type.Object({ claimed: Claim });

export const isDeleted = ({ body }: Version) => body.content === null;

/** An unfinished claim expires after this time. */
const claimMs = 10 * 60_000;

/** Returns the unexpired claims by page, oldest first. A page's new claim replaces its earlier one. */
function claimsIn(versions: readonly Version[], now: number): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const { at, body } of versions) {
    if (!fits(Claimed, body.content) || at <= now - claimMs) continue;
    const { claimed } = body.content;
    claims.delete(claimed.page);
    claims.set(claimed.page, claimed);
  }
  return claims;
}

/**
 * Returns the owner of a document's job: of the claims that haven't expired, the earliest one wins.
 *
 * @param versions of the document, oldest first
 * @param page the requesting console
 */
export function claimOf(
  versions: readonly Version[],
  page: string,
  now: number,
): 'over' | 'unclaimed' | 'own' | 'others' {
  if (versions.some(isDeleted)) return 'over';
  const [owner] = claimsIn(versions, now).keys();
  if (owner === undefined) return 'unclaimed';
  return owner === page ? 'own' : 'others';
}

/** Whether a page's claim of this time has arrived from the room. */
export const hasReturned = (
  versions: readonly Version[],
  page: string,
  putAt: number,
  now: number,
): boolean => claimsIn(versions, now).get(page)?.at === putAt;

/** A claim that takes longer to arrive from the room is void: others may have decided without it. */
const maxReturnMs = 15_000;
/**
 * Wait after the own claim arrived, so that concurrent claims are known, also if reading the room takes as long as a
 * request may. A hidden page reads less often.
 */
export const settleMs = { visible: 30_000, hidden: 60_000 };
const maxSettleMs = 3 * 60_000;

/** An own claim; times by the local clock. */
export type OwnClaim = { putAt: number; returnedAt?: number };

/** Returns a console's next step for a due document in a team room. Stores `returnedAt` in its claim. */
export function nextStep(
  versions: readonly Version[],
  page: string,
  claim: OwnClaim | undefined,
  { now, isHidden }: { now: number; isHidden: boolean },
): 'claim' | 'wait' | 'run' {
  const whose = claimOf(versions, page, now);
  if (whose === 'unclaimed') return claim && now < claim.putAt + claimMs ? 'wait' : 'claim';
  if (whose !== 'own' || claim?.returnedAt === undefined) return 'wait';
  const { putAt, returnedAt } = claim;
  // Replaces the void claim, which others wait for.
  if (returnedAt > putAt + maxReturnMs) return 'claim';
  const waited = now - returnedAt;
  const settle = isHidden ? settleMs.hidden : settleMs.visible;
  // Timers stop while a computer sleeps, so earlier reads are outdated.
  return waited >= settle && waited <= maxSettleMs ? 'run' : 'wait';
}
