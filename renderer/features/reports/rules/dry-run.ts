/** Evaluates a rule on the reports of the last month, without changing anything. */
import type { QueryClient } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { caseKey, isMutedReporter } from '../../../../shared/team/cases.ts';
import type { CaseSubject } from '../../../../shared/team/entries.ts';
import { hitsOf, isAccurate, type Rule, type RuledReport } from '../../../../shared/team/rules.ts';
import type { Matcher } from '../../../../shared/team/word-lists.ts';
import { eventReportQuery, eventReports } from '../../../api/reports/event-reports.ts';
import { filedReports } from '../../../api/reports/filed-reports.ts';
import { isReadable } from '../../../api/reports/listed-reports.ts';
import type { AnyReport, ReportSource } from '../../../api/reports/report-source.ts';
import { offeredQuery } from '../../../api/supported-endpoints.ts';
import type { Team } from '../../../team/team.ts';
import type { Server } from '../../../transport/server.ts';
import { accuracies, gatherCases, ruledReport } from '../cases/cases.ts';
import { hashesOf, loadHashes, type MessageFiles, messageFiles } from '../list/message-files.ts';
import { bodyOf } from '../list/use-messages.ts';
import { creationTimes } from './rule-facts.ts';

export const dryRunDays = 30;
const dayMs = 86_400_000;
const pageSize = 1000;
const maxPages = 20;
const maxMessages = 1000;
const maxAccounts = 1000;
const atOnce = 4;

/** A case that the rule would have applied to. */
export type DryHit = {
  key: string;
  subject: CaseSubject;
  /** Number of its reports in hits. */
  reports: number;
  /** When the rule would have applied first, in milliseconds since the Unix epoch. */
  at: number;
};

export type DryRun = {
  /** Newest first. */
  hits: readonly DryHit[];
  /** Number of reports in the time. */
  reports: number;
  /** Messages and accounts that weren't loaded: the rule may apply to more. */
  unread: { messages: number; accounts: number };
  /** There are more reports than were read. */
  isPartial: boolean;
};

export type Progress = { done: number; of: number };

type Context = {
  server: Server;
  queryClient: QueryClient;
  team: Pick<Team, 'marksOf' | 'cases'>;
  matchers: ReadonlyMap<string, Matcher>;
  /** Whether word lists have files. */
  areFilesListed: boolean;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};

/** @throws ConnectionFailure if the reports can't be read */
export async function dryRun({ when }: Pick<Rule, 'when'>, context: Context): Promise<DryRun> {
  const { server, queryClient, team, matchers, areFilesListed, signal, onProgress } = context;
  const marks = team.marksOf;
  const since = Date.now() - dryRunDays * dayMs;
  const offered = await queryClient.fetchQuery(offeredQuery(server));
  const [onEvents, onUsers, onRooms] = await Promise.all([
    reportsSince(eventReports(server, {}), since, signal),
    offered.has('userReports') ? reportsSince(filedReports(server, 'user', {}), since, signal) : none,
    offered.has('roomReports') ? reportsSince(filedReports(server, 'room', {}), since, signal) : none,
  ]);
  const cases = gatherCases(onEvents.reports, onUsers.reports, onRooms.reports);
  const accuracy = accuracies(cases, marks);

  const texts = new Map<string, string>();
  const files = new Map<string, MessageFiles>();
  const wanted = when.words ? new Map(onEvents.reports.map(({ event_id, id }) => [event_id, id])) : texts;
  const users = when.account_days === undefined ? [] : cases.flatMap(({ subject }) => userOf(subject) ?? []);
  const messages = [...wanted].slice(0, maxMessages);
  const of = messages.length + Math.min(users.length, maxAccounts);
  let done = 0;
  const advance = () => onProgress({ done: ++done, of });
  const turn = pLimit(atOnce);
  let failed = 0;
  await turn.map(messages, async ([eventId, id]) => {
    if (signal.aborted) return;
    const report = await queryClient
      .fetchQuery({ ...eventReportQuery(server, Number(id)), gcTime: 0 })
      .catch(() => undefined);
    if (report) {
      texts.set(eventId, bodyOf(report.event_json.content) ?? '');
      files.set(eventId, messageFiles(report.event_json.content));
    } else failed += 1;
    advance();
  });
  const uris = areFilesListed ? [...files.values()].flatMap((each) => each.uris) : [];
  const hashes = await loadHashes(queryClient, server, uris);
  const createdAt = await creationTimes(queryClient, server, users.slice(0, maxAccounts), advance);

  const facts = {
    matchers,
    isAccurate: (by: string) => isAccurate(accuracy.get(by)),
    createdAt: (userId: string) => createdAt.get(userId),
  };
  const now = Date.now();
  const reports = cases.flatMap((each) =>
    each.reports.map((report) =>
      ruledReport(report, each.subject, {
        messages: (eventId) => texts.get(eventId),
        files: (eventId) => hashesOf(files.get(eventId) ?? noFiles, (uri) => hashes.get(uri)),
      }),
    ),
  );
  const isCounted = ({ by }: RuledReport) => !isMutedReporter(team.cases, by, now);
  return {
    hits: byCase(hitsOf({ when }, reports.filter(isCounted), facts)),
    reports: reports.length,
    unread: {
      messages: wanted.size - messages.length + failed,
      accounts: Math.max(0, users.length - maxAccounts),
    },
    isPartial: onEvents.isPartial || onUsers.isPartial || onRooms.isPartial,
  };
}

const none = { reports: [], isPartial: false };
const noFiles: MessageFiles = { uris: [], hashes: [] };
const userOf = (subject: CaseSubject) => (subject.kind === 'user' ? subject.userId : undefined);

function byCase(hits: ReturnType<typeof hitsOf>): DryHit[] {
  const found = new Map<string, DryHit>();
  for (const { at, reports } of hits) {
    for (const { subject } of reports as readonly RuledReport[]) {
      const key = caseKey(subject);
      const before = found.get(key);
      found.set(key, { key, subject, reports: (before?.reports ?? 0) + 1, at: before?.at ?? at });
    }
  }
  return [...found.values()].sort((one, other) => other.at - one.at);
}

/** Reads a list back to a time, newest first. */
async function reportsSince<Report extends AnyReport>(
  source: ReportSource<Report>,
  since: number,
  signal: AbortSignal,
): Promise<{ reports: Report[]; isPartial: boolean }> {
  const ask = source.ask(signal);
  const reports: Report[] = [];
  let from = 0;
  for (let page = 0; page < maxPages; page++) {
    const { event_reports: rows, next_token: next } = await ask({ dir: 'b', from, limit: pageSize });
    reports.push(...rows.filter((row) => isReadable(row) && row.received_ts >= since));
    const isOver = next === undefined || rows.some(({ received_ts }) => received_ts < since);
    if (isOver) return { reports, isPartial: false };
    from = next;
  }
  return { reports, isPartial: true };
}
