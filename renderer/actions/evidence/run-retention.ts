/** Removes expired evidence: one console at a time, and never while a report of its case is open. */
import { ConnectionFailure } from '../../../shared/connection.ts';
import { caseKey, caseSubjectOf } from '../../../shared/team/cases.ts';
import {
  evidenceIn,
  evidenceKind,
  type Held,
  type HeldEvidence,
  heldCase,
  keptUntil,
  type ReportRef,
  removeEvidence,
  retentionIn,
  retentionKind,
} from '../../../shared/team/evidence.ts';
import { askReports } from '../../api/reports/event-reports.ts';
import { askFiledReports, type FiledKind } from '../../api/reports/filed-reports.ts';
import type { Team } from '../../team/team.ts';
import { teamOf } from '../../team/team-store.ts';
import { NoSuchEndpoint } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { alone, claimDocuments, isComplete } from '../scheduled/document-claims.ts';
import { deleteEvidence } from './hold-evidence.ts';

const checkMs = 5_000;
/** Evidence that is kept, or whose removal failed, isn't checked again so soon. */
const retryMs = 10 * 60_000;

/** Returns until when evidence is kept, as far as the case's reports are known. */
export const keptUntilIn = (team: Team, held: Held, ofCase: readonly ReportRef[]) =>
  keptUntil(
    held,
    ofCase,
    { marksOf: (of) => team.marksOf[of], entries: () => team.log },
    retentionIn(team.documents(retentionKind)),
  );

/** Starts removing expired evidence. Returns a function that stops it. */
export function runRetention(server: Server): () => void {
  const store = teamOf(server);
  const isOwnTurn = claimDocuments(server, evidenceKind);
  const notBefore = new Map<string, number>();
  /** Whether it's due, also by the server's current reports. */
  const checked = new Set<string>();
  let isBusy = false;

  const isDue = (held: Held, ofCase: readonly ReportRef[] = []) => {
    const until = keptUntilIn(store.snapshot(), held, ofCase);
    return typeof until === 'number' && until <= Date.now();
  };

  async function check() {
    if (isBusy || !isComplete(store.snapshot())) return;
    isBusy = true;
    try {
      for (const held of evidenceIn(store.snapshot())) {
        const { key, ...content } = held;
        if ((notBefore.get(key) ?? 0) > Date.now() || !isDue(held)) continue;
        // Before it's claimed: claims are entries.
        if (!checked.has(key) && !isDue(held, await reportsOfCase(server, held))) {
          notBefore.set(key, Date.now() + retryMs);
          continue;
        }
        checked.add(key);
        if (isOwnTurn(key, (claimed) => ({ ...content, claimed }) satisfies Held))
          await alone(`gatehouse evidence ${server.id}`, () => remove(held));
      }
    } catch (error) {
      if (!(error instanceof ConnectionFailure)) throw error;
    } finally {
      isBusy = false;
    }
  }

  async function remove(held: HeldEvidence) {
    checked.delete(held.key);
    notBefore.set(held.key, Date.now() + retryMs);
    // Another tab may have done it while this one waited.
    if (!evidenceIn(store.snapshot()).some(({ key }) => key === held.key)) return;
    if (isDue(held, await reportsOfCase(server, held))) await deleteEvidence(server, held, removeEvidence);
  }

  const timer = setInterval(check, checkMs);
  void check();
  return () => clearInterval(timer);
}

const newest = { dir: 'b', from: 0, limit: 100 } as const;

/** Returns the case's newest reports. @throws ConnectionFailure */
async function reportsOfCase(server: Server, held: Held): Promise<ReportRef[]> {
  const subject = heldCase(held);
  const filed = async (kind: FiledKind, about: string): Promise<ReportRef[]> => {
    try {
      const page = await askFiledReports(server, kind, { about })(newest);
      return page.event_reports.map(({ id }) => ({ of: `${kind}_report`, id }));
    } catch (error) {
      if (error instanceof NoSuchEndpoint) return [];
      throw error;
    }
  };
  const filter =
    subject.kind === 'user' ? { event_sender_user_id: subject.userId } : { room_id: subject.roomId };
  const page = await askReports(server, filter)(newest);
  const onEvents = page.event_reports
    .filter((report) => caseKey(caseSubjectOf(report)) === caseKey(subject))
    .map(({ id }): ReportRef => ({ of: 'report', id }));
  if (subject.kind === 'user') return [...onEvents, ...(await filed('user', subject.userId))];
  return subject.kind === 'room' ? [...onEvents, ...(await filed('room', subject.roomId))] : onEvents;
}
