/** Removes expired evidence: one watcher or console at a time, and never while its case is open. */
import { ErrorBody } from '../../../shared/api/common.ts';
import { failureOf, succeeded } from '../../../shared/connection.ts';
import { fits } from '../../../shared/fits.ts';
import { caseKey, caseSubjectOf } from '../../../shared/team/cases.ts';
import { nextStep, type OwnClaim, settleMs } from '../../../shared/team/claims.ts';
import { documentsOf } from '../../../shared/team/documents.ts';
import type { CaseSubject, ReportKind } from '../../../shared/team/entries.ts';
import {
  evidenceIn,
  evidenceKind,
  type Held,
  type HeldEvidence,
  heldCase,
  keptUntil,
  mediaOf,
  type ReportRef,
  removeEvidence,
  retentionIn,
  retentionKind,
} from '../../../shared/team/evidence.ts';
import { type ReportKind as ListedKind, readPage, reportKinds } from './observe.ts';
import type { WatchedTeam } from './team-room.ts';
import type { WatchedServer } from './watched-server.ts';

type Options = {
  server: WatchedServer;
  team: WatchedTeam;
  /** Identifies this watcher in claims. */
  id: string;
  now(): number;
  sleep(ms: number): Promise<void>;
  log(line: string): void;
};

/** Limit per round, because the watcher has other work. */
const maxPerRound = 20;
const newest = { from: 0, limit: 500 };
/** Evidence that newer reports keep isn't checked again so soon. */
const retryMs = 10 * 60_000;

/** Returns a function that removes expired evidence. It throws if the server gives no clear answer. */
export function retentionRunner({ server, team, id, now, sleep, log }: Options): () => Promise<void> {
  const claims = new Map<string, OwnClaim>();
  const notBefore = new Map<string, number>();

  const documents = (kind: string) => documentsOf(kind, team.log.documents(), []);

  function isDue(held: Held, ofCase: readonly ReportRef[] = []): boolean {
    const log = { marksOf: team.log.marks, entries: () => team.log.entries() };
    const until = keptUntil(held, ofCase, log, retentionIn(documents(retentionKind)));
    return typeof until === 'number' && until <= now();
  }

  const due = () =>
    evidenceIn({ documents, documentVersions: team.log.documentVersions }).filter(
      (held) => (notBefore.get(held.key) ?? 0) <= now() && isDue(held),
    );

  function stepOf(key: string) {
    const versions = team.log.documentVersions(evidenceKind).filter(({ body }) => body.key === key);
    return nextStep(versions, id, claims.get(key), { now: now(), isHidden: false });
  }

  const put = (key: string, content: Held | null) =>
    team.send({ type: 'document', kind: evidenceKind, key, content });

  async function claim({ key, ...content }: HeldEvidence) {
    const putAt = now();
    claims.set(key, { putAt });
    await put(key, { ...content, claimed: { by: server.userId, at: putAt, page: id } });
    await team.update();
    claims.set(key, { putAt, returnedAt: now() });
  }

  async function remove({ key, ...held }: HeldEvidence) {
    for (const uri of mediaOf(held, server.userId.slice(server.userId.indexOf(':') + 1))) {
      const path = uri.slice('mxc://'.length).split('/').map(encodeURIComponent).join('/');
      const prefix = `${server.dialect.administration}/admin/v1/media/`;
      const reply = await server.request('DELETE', prefix + path);
      if (reply.status !== 404 && !succeeded(reply)) throw failureOf(reply);
      if (reply.status === 404 && !fits(ErrorBody, reply.body)) throw failureOf(reply);
    }
    await put(key, null);
    await team.send({
      type: 'action',
      action: removeEvidence,
      subject: heldCase(held),
      reports: held.reports,
      outcome: 'done',
      detail: `messages: ${held.events.length}, files: ${held.media}`,
    });
    log(`removed evidence held by ${held.by}: retention is over`);
  }

  return async () => {
    if (!(await team.update())) return;
    const keys: string[] = [];
    for (const held of due().slice(0, maxPerRound)) {
      if (stepOf(held.key) !== 'claim') continue;
      if (isDue(held, await reportsOfCase(server, heldCase(held)))) {
        await claim(held);
        keys.push(held.key);
      } else notBefore.set(held.key, now() + retryMs);
    }
    if (keys.length === 0) return;
    await sleep(settleMs.visible);
    for (const key of keys) {
      // Others may have claimed it earlier, or reopened the case.
      if (!(await team.update())) return;
      const held = due().find((each) => each.key === key);
      if (!held || stepOf(key) !== 'run') continue;
      if (isDue(held, await reportsOfCase(server, heldCase(held)))) await remove(held);
    }
  };
}

const kinds: Record<ListedKind, ReportKind> = { event: 'report', user: 'user_report', room: 'room_report' };

/** Returns the case's reports among the newest of the server. @throws ConnectionFailure */
async function reportsOfCase(server: WatchedServer, subject: CaseSubject): Promise<ReportRef[]> {
  const key = caseKey(subject);
  const found: ReportRef[] = [];
  for (const kind of reportKinds) {
    for (const report of (await readPage(server, kind, newest)) ?? []) {
      const { id, room_id: room, event_id: event, sender, target_user_id: target } = report;
      const of = caseSubjectOf({
        sender: (kind === 'event' ? sender : target) ?? null,
        room_id: room ?? '',
        event_id: event ?? '',
      });
      if (caseKey(of) === key) found.push({ of: kinds[kind], id });
    }
  }
  return found;
}
