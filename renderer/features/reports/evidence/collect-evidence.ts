/** Gathers everything about a reported event that can serve as evidence. */
import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { mediaUris } from '../../../../shared/media-uris.ts';
import type { LogEntry } from '../../../../shared/team/entries.ts';
import { isAbout } from '../../../../shared/team/fold.ts';
import {
  conversationQuery,
  currentEventQuery,
  laterEventsQuery,
  storedEvent,
} from '../../../api/event-context.ts';
import { type EventVerification, eventVerificationQuery } from '../../../api/event-verification.ts';
import { text } from '../../../components/event/read-json.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import { bundledEdit, editedEvent, redactionOf, type Version, versionsOf } from '../detail/event-versions.ts';
import { subjectsOfReport } from '../subjects-of-report.ts';

export type Evidence = {
  /** User ID of the moderator, and when, in milliseconds since the Unix epoch. */
  by: string;
  at: number;
  server: string;
  report: EventReportDetail;
  /** The event in its current form, and as the server stored it if it was redacted since. */
  now: JsonObject | undefined;
  stored: JsonObject | undefined;
  versions: readonly Version[];
  /** Events around it, oldest first. */
  context: readonly JsonObject[];
  verification: EventVerification | undefined;
  /** The team's entries on the report, event, room and sender, newest first. */
  log: readonly LogEntry[];
  files: readonly { uri: string; blob: Blob }[];
  /** What couldn't be gathered, as sentences. */
  missing: readonly string[];
};

/** A file of the archive. `sha256` in hexadecimal; undefined outside a secure context. */
export type ArchivedFile = { path: string; size: number; sha256: string | undefined };

type Sources = {
  server: Server;
  client: QueryClient;
  log: readonly LogEntry[];
  report: EventReportDetail;
  /** Downloads the event's images, which the server can request from other servers. */
  withMedia: boolean;
  signal: AbortSignal;
};

/** Gathers what it can: a part that fails becomes a sentence in `missing`. Throws only if it's aborted. */
export async function collectEvidence(sources: Sources): Promise<Evidence> {
  const { server, client, log, report, withMedia, signal } = sources;
  const { room_id: roomId, event_id: eventId } = report;
  const missing: string[] = [];
  async function part<Result>(name: string, load: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await load();
    } catch (error) {
      signal.throwIfAborted();
      missing.push(i18n.t("Couldn't load {name}: {why}", { name, why: failureSentence(error as Error) }));
      return undefined;
    }
  }

  // Without cached data: evidence is what the server has now.
  const fresh = { staleTime: 0 };
  const baseId = editedEvent(report.event_json) ?? eventId;
  const [current, pages, verification] = await Promise.all([
    part(i18n.t('the current event'), () =>
      client.fetchQuery({ ...currentEventQuery(server, roomId, baseId), ...fresh }),
    ),
    part(i18n.t('the context'), () =>
      client.fetchInfiniteQuery({ ...conversationQuery(server, roomId, eventId), ...fresh }),
    ),
    part(i18n.t('the signing keys'), () =>
      client.fetchQuery({ ...eventVerificationQuery(server, report.id, report.event_json), ...fresh }),
    ),
  ]);
  signal.throwIfAborted();
  const now = current && { ...current.event, event_id: baseId };
  const isRedacted = now !== undefined && redactionOf(now) !== undefined;
  const [stored, versions, files] = await Promise.all([
    isRedacted ? part(i18n.t('the stored event'), () => storedEvent(server, baseId, signal)) : undefined,
    current && now && !isRedacted ? part(i18n.t('edits'), () => loadVersions(sources, now, current.end)) : [],
    withMedia ? loadFiles(sources, missing) : [],
  ]);
  const subjects = [{ kind: 'report' as const, id: report.id }, ...subjectsOfReport(report)];
  return {
    by: server.connection.userId,
    at: Date.now(),
    server: server.connection.baseUrl,
    report,
    now,
    stored,
    versions: versions ?? [],
    context: pages?.pages.flatMap(({ events }) => events) ?? [],
    verification,
    log: log.filter(({ body }) => subjects.some((subject) => isAbout(subject, body))),
    files,
    missing,
  };
}

async function loadVersions(
  { server, client, report }: Sources,
  event: JsonObject,
  end: string | undefined,
): Promise<Version[]> {
  const latest = bundledEdit(event);
  const isEditable = end !== undefined && event.state_key === undefined;
  const later = isEditable
    ? await client.fetchInfiniteQuery(
        laterEventsQuery(server, report.room_id, String(event.event_id), {
          sender: text(event.sender) ?? '',
          types: [text(event.type) ?? ''],
          from: end,
        }),
      )
    : undefined;
  const events = later?.pages.flatMap((page) => page.events) ?? [];
  return versionsOf(event, latest ? [...events, latest] : events);
}

async function loadFiles({ server, report, signal }: Sources, missing: string[]) {
  const files: { uri: string; blob: Blob }[] = [];
  for (const { uri } of mediaUris(report.event_json.content)) {
    signal.throwIfAborted();
    try {
      files.push({ uri, blob: await server.media({ uri }) });
    } catch (error) {
      missing.push(i18n.t("Couldn't download {uri}: {why}", { uri, why: failureSentence(error as Error) }));
    }
  }
  return files;
}
