/** Gathers everything about a reported event that can serve as evidence. */
import { i18n } from '@lingui/core';
import type { QueryClient } from '@tanstack/react-query';
import type { JsonObject } from '../../../shared/api/common.ts';
import type { EventReportDetail } from '../../../shared/api/reports.ts';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { mediaUris } from '../../../shared/media-uris.ts';
import {
  conversationQuery,
  currentEventQuery,
  laterEventsQuery,
  storedEvent,
} from '../../api/event-context.ts';
import { type EventVerification, eventVerificationQuery } from '../../api/event-verification.ts';
import type { EvidenceMedium } from '../../api/evidence-file.ts';
import { getMedium, parseMxcUri } from '../../api/media.ts';
import {
  bundledEdit,
  editedEvent,
  redactionOf,
  type Version,
  versionsOf,
} from '../../components/event/event-versions.ts';
import { text } from '../../components/event/read-json.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import { sha256 } from './sha256.ts';

/** A reported event with all related data. */
export type EventEvidence = {
  report: EventReportDetail;
  /** The event in its current form, and as the server stored it if it was redacted since. */
  now?: JsonObject | undefined;
  stored?: JsonObject | undefined;
  versions: readonly Version[];
  /** Events around it, oldest first. */
  context: readonly JsonObject[];
  verification?: EventVerification | undefined;
  /** Sentences about missing parts. */
  missing: readonly string[];
};

type Sources = {
  server: Server;
  client: QueryClient;
  report: EventReportDetail;
  signal: AbortSignal;
};

/** Gathers everything available: a part that fails becomes a sentence in `missing`. Throws only if it's aborted. */
export async function collectEvidence(sources: Sources): Promise<EventEvidence> {
  const { server, client, report, signal } = sources;
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

  // Bypasses the cache: evidence is the server's current data.
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
  const [stored, versions] = await Promise.all([
    isRedacted ? part(i18n.t('the stored event'), () => storedEvent(server, baseId, signal)) : undefined,
    current && now && !isRedacted ? part(i18n.t('edits'), () => loadVersions(sources, now, current.end)) : [],
  ]);
  return {
    report,
    now,
    stored,
    versions: versions ?? [],
    context: pages?.pages.flatMap(({ events }) => events) ?? [],
    verification,
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

/**
 * Returns size and hash of a report's media, as the server knows them. Otherwise local files are downloaded; remote
 * ones aren't, because the server would request them from their own server.
 */
export async function describeMedia(
  server: Server,
  { event_id: eventId, event_json: event }: EventReportDetail,
  missing: string[],
): Promise<EvidenceMedium[]> {
  return Promise.all(
    mediaUris(event.content).map(async ({ uri }) => {
      const known = await getMedium(server, uri).catch(() => undefined);
      const { media_length: size, media_type: type } = known ?? {};
      const facts = { uri, eventId, ...(size && { size }), ...(type && { type }) };
      if (known?.sha256) return { ...facts, sha256: known.sha256 };
      try {
        if (parseMxcUri(uri).origin !== serverName(server.connection)) throw unknownHash();
        const blob = await server.media({ uri, quarantined: true });
        const hash = await sha256(blob);
        if (hash === undefined) throw unknownHash();
        return { ...facts, size: blob.size, sha256: hash };
      } catch (error) {
        missing.push(i18n.t('No hash of {uri}: {why}', { uri, why: failureSentence(error as Error) }));
        return facts;
      }
    }),
  );
}

const unknownHash = () => new ConnectionFailure('refused', /*i18n*/ "the server doesn't provide it");
