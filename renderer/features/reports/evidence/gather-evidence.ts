/** Evidence to export: a report as the server has it now, or as the team holds it, with the team's activity. */
import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import type { EventReportDetail } from '../../../../shared/api/reports.ts';
import { mediaUris } from '../../../../shared/media-uris.ts';
import type { LogEntry } from '../../../../shared/team/entries.ts';
import type { Held } from '../../../../shared/team/evidence.ts';
import { isAbout } from '../../../../shared/team/fold.ts';
import {
  collectEvidence,
  describeMedia,
  type EventEvidence,
} from '../../../actions/evidence/collect-evidence.ts';
import { sha256 } from '../../../actions/evidence/sha256.ts';
import { downloadEvidence, type EvidenceFile, type EvidenceMedium } from '../../../api/evidence-file.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import { subjectsOfReport } from '../subjects-of-report.ts';

/** A file of the archive. `sha256` in hexadecimal; undefined outside a secure context. */
export type ArchivedFile = { path: string; size: number; sha256: string | undefined };

export type Evidence = EventEvidence & {
  /** User ID of the moderator who exports it, and when, in milliseconds since the Unix epoch. */
  by: string;
  at: number;
  server: string;
  /** The team's entries on the report, event, room and sender, newest first. */
  log: readonly LogEntry[];
  /** Hashes of the event's media. */
  media: readonly EvidenceMedium[];
  files: readonly { uri: string; blob: Blob }[];
  /** Moderator, time and hash, if the team held it. */
  held?: { by: string; at: number; sha256: string | undefined; isUnchanged: boolean | undefined };
};

type Sources = { server: Server; log: readonly LogEntry[] };

const exported = ({ server }: Sources) => ({
  by: server.connection.userId,
  at: Date.now(),
  server: server.connection.baseUrl,
});

function logOn(report: EventReportDetail, { log }: Sources): LogEntry[] {
  const subjects = [{ kind: 'report' as const, id: report.id }, ...subjectsOfReport(report)];
  return log.filter(({ body }) => subjects.some((subject) => isAbout(subject, body)));
}

/** @param withMedia downloads the event's images, which the server can request from other servers */
export async function gatherEvidence(
  sources: Sources & { client: QueryClient; report: EventReportDetail; signal: AbortSignal },
  { withMedia }: { withMedia: boolean },
): Promise<Evidence> {
  const { server, report, signal } = sources;
  const collected = await collectEvidence(sources);
  const missing = [...collected.missing];
  const media = await describeMedia(server, report, missing);
  const files: { uri: string; blob: Blob }[] = [];
  for (const { uri } of withMedia ? mediaUris(report.event_json.content) : []) {
    signal.throwIfAborted();
    await addFile(server, uri, uri, files, missing);
  }
  return { ...exported(sources), ...collected, log: logOn(report, sources), media, files, missing };
}

/** Held evidence, and whether its hash is that of the document; undefined if it can't be calculated. */
export type OpenedEvidence = { file: EvidenceFile; isUnchanged: boolean | undefined };

/** Downloads held evidence. @throws ConnectionFailure */
export async function openEvidence(
  server: Server,
  held: Held,
  signal?: AbortSignal,
): Promise<OpenedEvidence> {
  const file = await downloadEvidence(server, held.file.uri, signal);
  const hash = await sha256(new Blob([JSON.stringify(file)]));
  const isKnown = hash !== undefined && held.file.sha256 !== undefined;
  return { file, isUnchanged: isKnown ? hash === held.file.sha256 : undefined };
}

/** Returns held evidence to export, with copied media. @throws ConnectionFailure */
export async function gatherHeld(sources: Sources, held: Held): Promise<Evidence[]> {
  const { server } = sources;
  const { file, isUnchanged } = await openEvidence(server, held);
  return Promise.all(
    file.events.map(async (event) => {
      const missing = [...event.missing];
      const media = file.media.filter(({ eventId }) => eventId === event.report.event_id);
      const files: { uri: string; blob: Blob }[] = [];
      for (const { uri, copy } of media) if (copy) await addFile(server, uri, copy, files, missing);
      const { by, at } = held;
      return {
        ...exported(sources),
        ...event,
        log: logOn(event.report, sources),
        media,
        files,
        missing,
        held: { by, at, sha256: held.file.sha256, isUnchanged },
      };
    }),
  );
}

async function addFile(
  server: Server,
  uri: string,
  from: string,
  files: { uri: string; blob: Blob }[],
  missing: string[],
) {
  try {
    files.push({ uri, blob: await server.media({ uri: from, quarantined: true }) });
  } catch (error) {
    missing.push(i18n.t("Couldn't download {uri}: {why}", { uri, why: failureSentence(error as Error) }));
  }
}
