/** Claims on team documents: one console at a time does a document's work. */
import { type Claim, hasReturned, nextStep, type OwnClaim } from '../../../shared/team/claims.ts';
import { newId } from '../../new-id.ts';
import type { Team } from '../../team/team.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Server } from '../../transport/server.ts';

/** Whether all documents are known, or there is no team room. */
export const isComplete = ({ sync: { state, room } }: Team): boolean =>
  (state === 'local' || state === 'shared') && (room.is !== 'open' || room.complete);

/**
 * Returns a function that checks whether this console does the work now. In a team room, it claims the document first
 * and waits until the claim counts: call it again later.
 */
export function claimDocuments(server: Server, kind: string) {
  const page = newId();
  const claims = new Map<string, OwnClaim>();
  return (key: string, withClaim: (claimed: Claim) => object): boolean => {
    const team = teamOf(server).snapshot();
    if (team.sync.state === 'local') return true;
    const now = Date.now();
    const versions = team.documentVersions(kind).filter(({ body }) => body.key === key);
    const claim = claims.get(key);
    if (claim && claim.returnedAt === undefined && hasReturned(versions, page, claim.putAt, now)) {
      claims.set(key, { ...claim, returnedAt: now });
    }
    const step = nextStep(versions, page, claims.get(key), { now, isHidden: document.hidden });
    if (step === 'claim') {
      claims.set(key, { putAt: now });
      team.putDocument(kind, key, withClaim({ by: server.connection.userId, at: now, page }));
    }
    return step === 'run';
  };
}

/** Only one tab of a browser at a time, if it supports that. */
export const alone = (name: string, work: () => Promise<void>): Promise<unknown> =>
  'locks' in navigator
    ? navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
        if (lock) await work();
      })
    : work();
