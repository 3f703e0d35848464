/** Keeps reported messages until their case is closed: a file on the server, and a document of the team that names it. */

import { i18n } from '@lingui/core';
import pLimit from 'p-limit';
import type { EventReportDetail } from '../../../shared/api/reports.ts';
import { readJson } from '../../../shared/read-json.ts';
import { caseKey, caseSubjectOf } from '../../../shared/team/cases.ts';
import { type CaseSubject, maxReportsPerEntry } from '../../../shared/team/entries.ts';
import {
  evidenceKind,
  type Held,
  type HeldEvidence,
  heldCase,
  holdEvidence as holdAction,
  maxCopies,
  maxHeldEvents,
  mediaOf,
  type releaseEvidence,
  type removeEvidence,
  retentionIn,
  retentionKind,
  wireCase,
} from '../../../shared/team/evidence.ts';
import { type EvidenceFile, type EvidenceMedium, uploadEvidence } from '../../api/evidence-file.ts';
import { parseMxcUri } from '../../api/media.ts';
import { deleteMedium, setProtected } from '../../api/media-changes.ts';
import { eventReportQuery } from '../../api/reports/event-reports.ts';
import { newId } from '../../new-id.ts';
import { teamOf } from '../../team/team-store.ts';
import { failureSentence, NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import type { ActionContext } from '../action.ts';
import { collectEvidence, describeMedia } from './collect-evidence.ts';
import { sha256 } from './sha256.ts';

/** Event reports; several can be on one event. */
export type ReportToHold = { id: number; eventId?: string | undefined };

export type HoldResult = { messages: number; media: number; missing: readonly string[] };

const concurrency = 3;

/**
 * Holds the messages of these reports, each once, and records that. Returns once the file is on the server.
 *
 * @throws ConnectionFailure if no message could be read or the file couldn't be stored
 */
export async function holdEvidence(
  context: Pick<ActionContext, 'server' | 'queryClient'>,
  reports: readonly ReportToHold[],
): Promise<HoldResult> {
  const { server, queryClient } = context;
  const missing: string[] = [];
  const details = await loadReports(context, reports, missing);
  const result = { messages: 0, media: 0, missing };
  const { signal } = new AbortController();
  const turn = pLimit(concurrency);
  for (const ofCase of Map.groupBy(details, (report) => caseKey(caseSubjectOf(report))).values()) {
    const [first] = ofCase;
    if (!first) continue;
    const events = await turn.map(ofCase, (report) =>
      collectEvidence({ server, client: queryClient, report, signal }),
    );
    const described = await turn.map(ofCase, (report) => describeMedia(server, report, missing));
    const media = await copyMedia(server, described.flat(), missing);
    const file = { version: 1, server: serverName(server.connection), ...stamp(server), events, media };
    const ids = new Set(ofCase.map(({ event_id }) => event_id));
    const onThem = reports.filter(({ id, eventId }) =>
      eventId === undefined ? ofCase.some((report) => report.id === id) : ids.has(eventId),
    );
    await store(server, caseSubjectOf(first), file as unknown as EvidenceFile, {
      reports: onThem.map(({ id }) => id).slice(0, maxReportsPerEntry),
      missing,
    });
    result.messages += events.length;
    result.media += media.length;
    missing.push(...events.flatMap((event) => event.missing));
  }
  return result;
}

const stamp = (server: Server) => ({ by: server.connection.userId, at: Date.now() });

/** Loads one report for each event. */
async function loadReports(
  { server, queryClient }: Pick<ActionContext, 'server' | 'queryClient'>,
  reports: readonly ReportToHold[],
  missing: string[],
): Promise<EventReportDetail[]> {
  const wanted = [
    ...new Map(reports.toReversed().map((report) => [report.eventId ?? report.id, report])).values(),
  ].reverse();
  if (wanted.length > maxHeldEvents) {
    missing.push(i18n.t('Only {count} messages are held at once.', { count: maxHeldEvents }));
  }
  const found = new Map<string, EventReportDetail>();
  let failure: unknown;
  await pLimit(concurrency).map(wanted.slice(0, maxHeldEvents), async ({ id }) => {
    try {
      const report = await queryClient.fetchQuery(eventReportQuery(server, id));
      found.set(report.event_id, report);
    } catch (error) {
      failure = error;
      missing.push(
        i18n.t("Couldn't load {name}: {why}", {
          name: i18n.t('report {id}', { id }),
          why: failureSentence(error as Error),
        }),
      );
    }
  });
  if (found.size === 0 && failure) throw failure;
  return [...found.values()];
}

/** Copies images, if the team wants that: the console can't read other files. */
async function copyMedia(
  server: Server,
  media: readonly EvidenceMedium[],
  missing: string[],
): Promise<EvidenceMedium[]> {
  const retention = retentionIn(teamOf(server).snapshot().documents(retentionKind));
  if (!retention.media) return [...media];
  return pLimit(concurrency).map(media, async (medium, index) => {
    if (index >= maxCopies) return medium;
    try {
      const blob = await server.media({ uri: medium.uri, quarantined: true });
      const copy = await server.upload(blob);
      await protect(server, copy, missing);
      const hash = await sha256(blob);
      return { ...medium, copy, size: blob.size, ...(hash !== undefined && { sha256: hash }) };
    } catch (error) {
      missing.push(
        i18n.t("Couldn't copy {uri}: {why}", { uri: medium.uri, why: failureSentence(error as Error) }),
      );
      return medium;
    }
  });
}

/** Protects a file from quarantine and from automatic deletion. */
async function protect(server: Server, uri: string, missing: string[]) {
  try {
    await setProtected(server, parseMxcUri(uri).mediaId, true);
  } catch (error) {
    missing.push(
      i18n.t("The evidence isn't protected from media clean-up: {why}", {
        why: failureSentence(error as Error),
      }),
    );
  }
}

async function store(
  server: Server,
  subject: CaseSubject,
  content: EvidenceFile,
  { reports, missing }: { reports: readonly number[]; missing: string[] },
) {
  // As it's read again, so that the hash can be checked.
  const text = JSON.stringify(content);
  const file: EvidenceFile = readJson(text);
  const uri = await uploadEvidence(server, file);
  await protect(server, uri, missing);
  const blob = new Blob([text]);
  const hash = await sha256(blob);
  const copies = file.media.flatMap(({ copy }) => copy ?? []);
  const held: Held = {
    case: wireCase(subject),
    ...stamp(server),
    reports: [...reports],
    events: file.events.map(({ report }) => report.event_id),
    media: file.media.length,
    file: { uri, size: blob.size, ...(hash !== undefined && { sha256: hash }) },
    ...(copies.length > 0 && { copies }),
  };
  const team = teamOf(server).snapshot();
  team.putDocument(evidenceKind, newId(), held);
  record(server, holdAction, held);
}

/** Not translated: colleagues read it in other languages. */
function record(server: Server, action: string, held: Held) {
  const detail = `messages: ${held.events.length}, files: ${held.media}`;
  teamOf(server)
    .snapshot()
    .record({ action, subject: heldCase(held), reports: held.reports, outcome: 'done', detail });
}

/** Deletes the files and the document, and records that. Deletes nothing twice. @throws ConnectionFailure */
export async function deleteEvidence(
  server: Server,
  held: HeldEvidence,
  why: typeof releaseEvidence | typeof removeEvidence,
): Promise<void> {
  for (const uri of mediaOf(held, serverName(server.connection))) {
    await deleteMedium(server, uri).catch((error) => {
      if (!(error instanceof NotFound)) throw error;
    });
  }
  teamOf(server).snapshot().putDocument(evidenceKind, held.key, null);
  record(server, why, held);
}
