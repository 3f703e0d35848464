/** Carries out due scheduled actions: one watcher or console at a time, and never against a later decision. */
import { randomUUID } from 'node:crypto';
import { type Fields, limitIn, policyIn, strikeIn } from '../../../shared/team/action-inputs.ts';
import { nextStep, type OwnClaim, settleMs } from '../../../shared/team/claims.ts';
import { documentsOf } from '../../../shared/team/documents.ts';
import { maxReasonLength, type Subject } from '../../../shared/team/entries.ts';
import { timelineOf } from '../../../shared/team/fold.ts';
import { isRestriction, type RestrictionId, restrictions } from '../../../shared/team/restrictions.ts';
import {
  laterDecision,
  limitChanges,
  type Scheduled,
  type ScheduledAction,
  scheduledIn,
  scheduledKind,
} from '../../../shared/team/scheduled.ts';
import { mayTry, perform, stateOf } from './restrict.ts';
import type { WatchedTeam } from './team-room.ts';
import { Refused, type WatchedServer } from './watched-server.ts';

/** Returns scheduled actions, the next one first. */
export const scheduledBy = ({ log }: Pick<WatchedTeam, 'log'>): ScheduledAction[] =>
  scheduledIn({
    documents: (kind) => documentsOf(kind, log.documents(), []),
    documentVersions: log.documentVersions,
  });

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

/** Returns a function that carries out due actions that it knows. It throws if the server gives no clear answer. */
export function scheduledRunner({ server, team, id, now, sleep, log }: Options): () => Promise<void> {
  const claims = new Map<string, OwnClaim>();

  const due = () => scheduledBy(team).filter(({ at, action }) => at <= now() && isRestriction(action));

  function stepOf({ key }: ScheduledAction) {
    const versions = team.log.documentVersions(scheduledKind).filter(({ body }) => body.key === key);
    return nextStep(versions, id, claims.get(key), { now: now(), isHidden: false });
  }

  const put = (key: string, content: Scheduled | null) =>
    team.send({ type: 'document', kind: scheduledKind, key, content });

  /** Claims the unclaimed actions. Returns their keys. */
  async function claimDue(): Promise<string[]> {
    const keys: string[] = [];
    for (const scheduled of due()) {
      if (keys.length >= maxPerRound) break;
      if (stepOf(scheduled) !== 'claim' || !(await mayTry(server, scheduled))) continue;
      const { key, since: _, ...content } = scheduled;
      const putAt = now();
      claims.set(key, { putAt });
      await put(key, { ...content, claimed: { by: server.userId, at: putAt, page: id } });
      await team.update();
      claims.set(key, { putAt, returnedAt: now() });
      keys.push(key);
    }
    return keys;
  }

  async function carryOut(scheduled: ScheduledAction) {
    const { key, by, reason: why, fields = {}, subject: target, room_id: roomId } = scheduled;
    const action = scheduled.action as RestrictionId;
    const subject: Subject =
      target.kind === 'user'
        ? { kind: 'user', userId: target.user_id }
        : { kind: 'room', roomId: target.room_id };
    const reason = [`Scheduled by ${by}`, why]
      .filter(Boolean)
      .join(': ')
      .slice(0, maxReasonLength)
      .toWellFormed();
    const record = (outcome: 'done' | 'unchanged' | 'failed', detail?: string) => {
      const policy = policyIn(fields);
      const strike = outcome === 'done' && target.kind === 'user' ? strikeIn(fields, key) : undefined;
      return team.send({
        type: 'action',
        action,
        subject,
        reports: [],
        reason,
        ...(outcome === 'unchanged' ? { outcome: 'done' as const, unchanged: true as const } : { outcome }),
        ...(detail !== undefined && { detail: detail.slice(0, maxReasonLength).toWellFormed() }),
        ...(policy !== undefined && { policy }),
        ...(strike && { strike }),
      });
    };
    const later = laterDecision(scheduled, timelineOf(team.log.entries(), subject));
    try {
      if (later) throw new Refused(`dropped: changed by ${later.by}`);
      if (restrictions[action].applies(await stateOf(server, scheduled))) {
        await perform(server, scheduled, { reason, fields });
        await record('done', roomId);
        await updateLimits(scheduled, action, fields);
        log(`carried out a scheduled action: ${action}`);
      } else {
        await record('unchanged', roomId);
        log(`scheduled action had nothing left to change: ${action}`);
      }
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await record('failed', error.message);
      log(`scheduled action failed: ${action}: ${error.message}`);
    }
    await put(key, null);
  }

  async function updateLimits(scheduled: ScheduledAction, action: RestrictionId, fields: Fields) {
    const { by, reason = '' } = scheduled;
    const limit = limitIn(fields);
    const end = limit && { key: randomUUID(), by, reason, ...limit };
    const { inverse } = restrictions[action];
    for (const [key, content] of limitChanges(scheduledBy(team), { id: action, inverse }, scheduled, end))
      await put(key, content);
  }

  return async () => {
    if (!(await team.update())) return;
    const keys = await claimDue();
    if (keys.length === 0) return;
    await sleep(settleMs.visible);
    for (const key of keys) {
      // Others may have claimed it earlier, or decided otherwise.
      if (!(await team.update())) return;
      const scheduled = due().find((each) => each.key === key);
      if (scheduled && stepOf(scheduled) === 'run') await carryOut(scheduled);
    }
  };
}
