/** Carries out the team's automatic rules: quarantines reported media and suspends new accounts, each once. */
import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { JsonObject } from '../../../shared/api/common.ts';
import { mediaUris } from '../../../shared/media-uris.ts';
import { caseKey, foldCases, isMutedReporter } from '../../../shared/team/cases.ts';
import { type Documents, documentsOf } from '../../../shared/team/documents.ts';
import {
  type CaseSubject,
  maxReasonLength,
  maxReportsPerEntry,
  type ReportKind,
  type TeamEntry,
} from '../../../shared/team/entries.ts';
import { timelineOf } from '../../../shared/team/fold.ts';
import { protectedIn, protectedKind, protectionOf } from '../../../shared/team/protected.ts';
import { quarantineMediaRequest, suspendRequest, userPath } from '../../../shared/team/restrictions.ts';
import {
  accuraciesOf,
  canSuspend,
  type Hit,
  hitsOf,
  isAccurate,
  type KeyedRule,
  type RuledReport,
  ruleKind,
  rulesIn,
  urgentReasons,
} from '../../../shared/team/rules.ts';
import {
  encryptedFileHashes,
  haveFiles,
  matchersOf,
  wordListsIn,
  wordsKind,
} from '../../../shared/team/word-lists.ts';
import { type ReportKind as ListedKind, type Report, readPage, reportKinds } from './observe.ts';
import type { WatchedTeam } from './team-room.ts';
import { act, getOptional, Refused, type WatchedServer } from './watched-server.ts';

type Options = {
  server: WatchedServer;
  team: WatchedTeam;
  now(): number;
  log(line: string): void;
};

/** Rules see reports of the last 30 days. */
const rangeMs = 30 * 86_400_000;
const pageSize = 500;
const maxPages = 40;
/** Limit per round, because the watcher has other work. The rest follows in later rounds. */
const maxLoadedPerRound = 200;
const maxPerRound = 20;

const kinds: Record<ListedKind, ReportKind> = { event: 'report', user: 'user_report', room: 'room_report' };

/** `uris`: of the media in the reported event, once it's loaded. */
type Reported = RuledReport & { uris?: readonly string[] };

/** Returns whether the reason of a report makes it urgent, by the team's rules; without a team room, by built-in ones. */
export function urgentReasonsIn(documents: Documents = new Map()): (reason: string) => boolean {
  const rules = rulesIn(documentsOf(ruleKind, documents, []));
  return urgentReasons(rules, matchersOf(wordListsIn(documentsOf(wordsKind, documents, []))));
}

/** Returns a function that carries out the rules' actions. It throws if the server gives no clear answer. */
export function ruleRunner({ server, team, now, log }: Options): () => Promise<void> {
  /** Reports by kind and ID, with their events once loaded. */
  const known = new Map<string, Reported>();
  /** Creation times of accounts; undefined if the account doesn't exist. */
  const created = new Map<string, number | undefined>();
  /** Handled hits, by rule and report. */
  const finished = new Set<string>();
  const ownServer = server.userId.slice(server.userId.indexOf(':'));
  const isLocal = (userId: string) => userId.endsWith(ownServer);
  const admin = (path: string) => `${server.dialect.administration}/admin${path}`;

  /** Reads new reports, at first those of the last 30 days. */
  async function readReports() {
    const since = now() - rangeMs;
    for (const [key, { at }] of known) if (at < since) known.delete(key);
    for (const kind of reportKinds) {
      const found: Reported[] = [];
      for (let page = 0; page < maxPages; page++) {
        const read = await readPage(server, kind, { from: page * pageSize, limit: pageSize });
        const reports = read?.flatMap((report) => reportedOf(kind, report) ?? []) ?? [];
        if (page === 0) dropDeleted(kinds[kind], reports);
        found.push(...reports);
        const isKnown = reports.some((report) => known.has(keyOf(report)) || report.at < since);
        if (!read || read.length < pageSize || isKnown) break;
      }
      for (const report of found)
        if (report.at >= since && !known.has(keyOf(report))) known.set(keyOf(report), report);
    }
  }

  /** @param newest the newest reports of the kind that the server has */
  function dropDeleted(of: ReportKind, newest: readonly Reported[]) {
    const ids = new Set(newest.map(({ id }) => id));
    const oldest = newest.at(-1)?.id ?? 0;
    for (const [key, report] of known)
      if (report.of === of && report.id >= oldest && !ids.has(report.id)) known.delete(key);
  }

  /** Loads the events of reports, newest first. */
  async function loadEvents(reports: Iterable<Reported>, withHashes: boolean) {
    const wanted = [...reports].filter(
      ({ of, uris, files }) => of === 'report' && (uris === undefined || (withHashes && files === undefined)),
    );
    wanted.sort((one, other) => other.at - one.at);
    for (const report of wanted.slice(0, maxLoadedPerRound)) {
      const detail = await getOptional(server, Detail, admin(`/v1/event_reports/${report.id}`));
      const content = detail?.event_json?.content;
      const { body } = (content ?? {}) as { body?: unknown };
      const message = typeof body === 'string' ? body : '';
      const uris = mediaUris(content).map(({ uri }) => uri);
      const files = withHashes ? [...encryptedFileHashes(content), ...(await loadHashes(uris))] : undefined;
      known.set(keyOf(report), { ...report, uris, message, files });
    }
  }

  async function loadHashes(uris: readonly string[]): Promise<string[]> {
    const hashes: string[] = [];
    for (const uri of uris) {
      const path = uri.slice('mxc://'.length).split('/').map(encodeURIComponent).join('/');
      const details = await getOptional(server, MediumDetails, admin(`/v1/media/${path}`));
      const hash = details?.media_info?.sha256;
      if (hash) hashes.push(hash.toLowerCase());
    }
    return hashes;
  }

  async function loadAges(reports: Iterable<Reported>) {
    const users = new Set([...reports].flatMap(({ subject }) => localUserOf(subject) ?? []));
    for (const userId of [...users].filter((each) => !created.has(each)).slice(0, maxLoadedPerRound)) {
      const user = await getOptional(server, User, admin(userPath(userId)));
      // Seconds.
      created.set(userId, user?.creation_ts === undefined ? undefined : user.creation_ts * 1000);
    }
  }

  const localUserOf = (subject: CaseSubject) =>
    subject.kind === 'user' && isLocal(subject.userId) ? subject.userId : undefined;

  const entriesOn = (subject: CaseSubject) =>
    timelineOf(team.log.entries(), subject).filter((entry) => entry.type === 'action');

  /** Suspends an account once per rule, and never against a moderator. Returns whether it changed anything. */
  async function suspend(rule: KeyedRule, hit: Hit<Reported>, subject: CaseSubject): Promise<boolean> {
    const userId = localUserOf(subject);
    if (userId === undefined || userId === server.userId) return false;
    const decisions = entriesOn(subject).filter(({ action }) => suspensions.has(action));
    if (decisions.some((entry) => entry.rule?.key === rule.key || entry.at >= hit.at)) return false;
    const user = await getOptional(server, User, admin(userPath(userId)));
    if (!user || user.deactivated || user.admin || isProtected(userId, user)) return false;
    if (user.suspended && wasSuspended(decisions)) return false;
    await carryOut(rule, hit, 'suspend-user', subject, () => act(server, suspendRequest(userId, true)));
    return true;
  }

  function isProtected(userId: string, user: Static<typeof User>): boolean {
    const having = (has: unknown) => ({ has: () => Boolean(has) });
    const traits = {
      admins: having(user.admin),
      services: having(user.appservice_id),
      bots: having(user.user_type === 'bot'),
    };
    const documents = documentsOf(protectedKind, team.log.documents(), []);
    return protectionOf(userId, traits, protectedIn(documents)) !== undefined;
  }

  /** Quarantines the media of a message once per rule. Returns whether it changed anything. */
  async function quarantine(rule: KeyedRule, hit: Hit<Reported>, report: Reported): Promise<boolean> {
    const { roomId, eventId, uris = [] } = report;
    if (roomId === undefined || eventId === undefined) return false;
    const subject = { kind: 'event', roomId, eventId } as const;
    const isDone = entriesOn(subject).some(
      ({ rule: by, action }) => by?.key === rule.key && action === 'quarantine-media',
    );
    if (uris.length === 0 || isDone) return false;
    const detail = uris.join(' ');
    await carryOut(
      rule,
      hit,
      'quarantine-media',
      subject,
      async () => {
        for (const uri of uris) await act(server, quarantineMediaRequest(uri));
      },
      detail,
    );
    return true;
  }

  /** Acts, then records it: a watcher that is killed in between repeats both, and the entry has the same ID. */
  async function carryOut(
    { key, name }: KeyedRule,
    { reports }: Hit<Reported>,
    action: string,
    subject: CaseSubject,
    run: () => Promise<void>,
    detail?: string,
  ) {
    let refusal: string | undefined;
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusal = error.message;
    }
    const last = reports.at(-1) ?? reports[0];
    const ids = reports.filter(({ of }) => of === last.of).map(({ id }) => id);
    const details = refusal ?? detail;
    await team.send(
      {
        type: 'action',
        action,
        subject,
        of: last.of,
        reports: ids.slice(-maxReportsPerEntry),
        reason: `Automatic rule: ${name}`,
        outcome: refusal === undefined ? 'done' : 'failed',
        ...(details !== undefined && { detail: details.slice(0, maxReasonLength).toWellFormed() }),
        rule: { key, name },
      },
      idOf(key, action, caseKey(subject), keyOf(last)),
    );
    // Further hits see the entry.
    await team.update();
    log(`rule ${JSON.stringify(name)}: ${action}${refusal === undefined ? '' : ` failed: ${refusal}`}`);
  }

  /** Returns the rules that act, with the time of their current version: they act on later reports only. */
  function actingRules() {
    const documents = documentsOf(ruleKind, team.log.documents(), []);
    return rulesIn(documents).flatMap((rule) => {
      const since = documents.get(rule.key)?.at;
      const acts = rule.effects.quarantine || canSuspend(rule);
      return rule.on && acts && since !== undefined ? [{ rule, since }] : [];
    });
  }

  return async () => {
    if (!(await team.update())) return;
    const rules = actingRules();
    if (rules.length === 0) return;
    await readReports();
    const needsWords = rules.some(({ rule }) => rule.when.words);
    const needsAges = rules.some(({ rule }) => rule.when.account_days !== undefined);
    const lists = wordListsIn(documentsOf(wordsKind, team.log.documents(), []));
    if (needsWords) await loadEvents(known.values(), haveFiles(lists));
    if (needsAges) await loadAges(known.values());
    const markOf = ({ of, id }: RuledReport) => team.log.marks(of).get(id);
    const accuracy = accuraciesOf([...known.values()], (report) => markOf(report)?.verdict);
    const facts = {
      matchers: matchersOf(lists),
      isAccurate: (by: string) => isAccurate(accuracy.get(by)),
      createdAt: (userId: string) => created.get(userId),
    };
    const cases = foldCases(team.log.caseEntries(), []);
    const reports = [...known.values()].filter(({ by }) => !isMutedReporter(cases, by, now()));
    let done = 0;
    for (const { rule, since } of rules) {
      for (const hit of hitsOf(rule, reports, facts)) {
        const id = `${rule.key} ${since} ${keyOf(hit.reports.at(-1) ?? hit.reports[0])}`;
        if (hit.at <= since || finished.has(id)) continue;
        if (hit.reports.every((report) => markOf(report)?.state === 'reviewed')) continue;
        if (done >= maxPerRound) return;
        if (rule.effects.quarantine) {
          await loadEvents(hit.reports, false);
          for (const report of hit.reports)
            if (await quarantine(rule, hit, known.get(keyOf(report)) ?? report)) done += 1;
        }
        if (canSuspend(rule)) {
          const people = new Map(hit.reports.map(({ subject }) => [caseKey(subject), subject]));
          for (const subject of people.values()) if (await suspend(rule, hit, subject)) done += 1;
        }
        finished.add(id);
      }
    }
  };
}

const Flag = Type.Optional(Type.Union([Type.Boolean(), Type.Integer(), Type.Null()]));
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const User = Type.Object({
  creation_ts: Type.Optional(Type.Number()),
  admin: Flag,
  deactivated: Flag,
  suspended: Flag,
  appservice_id: Text,
  user_type: Text,
});
const MediumDetails = Type.Object({ media_info: Type.Optional(Type.Object({ sha256: Text })) });
const Detail = Type.Object({
  event_json: Type.Optional(Type.Object({ content: Type.Optional(JsonObject) })),
});

const suspensions: ReadonlySet<string> = new Set(['suspend-user', 'unsuspend-user']);

type ActionEntry = Extract<TeamEntry, { type: 'action' }>;

/** Whether the team suspended the user already. @param decisions newest first */
function wasSuspended(decisions: readonly ActionEntry[]): boolean {
  const last = decisions.find(({ outcome }) => outcome !== 'failed');
  return last !== undefined && (last.action === 'suspend-user') === (last.outcome === 'done');
}

const keyOf = ({ of, id }: RuledReport) => `${of} ${id}`;

const idOf = (...parts: string[]) =>
  `rule-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;

/** Returns a report as rules see it; undefined without its time or reporter. */
function reportedOf(kind: ListedKind, report: Report): Reported | undefined {
  const {
    id,
    received_ts: at,
    user_id: by,
    sender,
    target_user_id: target,
    room_id: room,
    event_id: event,
  } = report;
  const person = kind === 'event' ? sender : target;
  const roomId = room ?? undefined;
  const subject: CaseSubject | undefined = person
    ? { kind: 'user', userId: person }
    : roomId
      ? { kind: 'room', roomId }
      : undefined;
  if (at === undefined || !by || !subject) return undefined;
  return {
    of: kinds[kind],
    id,
    at,
    by,
    reason: report.reason ?? '',
    subject,
    roomId,
    eventId: event ?? undefined,
  };
}
