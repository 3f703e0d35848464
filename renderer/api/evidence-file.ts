/** The file with held messages, in the server's media repository, and the hashes of media. */
import { type Static, Type } from 'typebox';
import { Dictionary, JsonObject, Nullable } from '../../shared/api/common.ts';
import { EventReportDetail } from '../../shared/api/reports.ts';
import { Uploaded } from '../../shared/media-policy.ts';
import { body, type Server } from '../transport/server.ts';
import { parseMxcUri } from './media.ts';

const text = Type.String();
const Clause = Type.Object({
  result: Type.Literal('impossible'),
  why: text,
  values: Type.Optional(Dictionary(text)),
});
const Signed = Type.Object({ result: Type.Enum(['holds', 'differs']), server: text, keyId: text });

/** A reported event with all related data. */
const EventEvidence = Type.Object({
  report: EventReportDetail,
  /** The event in its current form, and as the server stored it if it was redacted since. */
  now: Type.Optional(JsonObject),
  stored: Type.Optional(JsonObject),
  /** Oldest first. */
  versions: Type.Array(
    Type.Object({
      eventId: Type.Optional(text),
      at: Type.Optional(Type.Number()),
      content: JsonObject,
    }),
  ),
  /** Events around it, oldest first. */
  context: Type.Array(JsonObject),
  verification: Type.Optional(
    Type.Object({
      hash: Type.Union([Type.Object({ result: Type.Enum(['holds', 'differs', 'redacted']) }), Clause]),
      signature: Type.Union([
        Signed,
        Type.Object({ result: Type.Literal('key_not_held'), server: text }),
        Clause,
      ]),
    }),
  ),
  /** Sentences about missing parts. */
  missing: Type.Array(text),
});

/** A file in a reported event. `sha256` in hexadecimal, `size` in bytes, `copy` an mxc URI. */
const EvidenceMedium = Type.Object({
  uri: text,
  eventId: text,
  sha256: Type.Optional(Nullable(text)),
  size: Type.Optional(Nullable(Type.Number())),
  type: Type.Optional(Nullable(text)),
  copy: Type.Optional(text),
});
export type EvidenceMedium = Static<typeof EvidenceMedium>;

/** The file's content: docs/team-room-protocol.md. */
const EvidenceFile = Type.Object({
  version: Type.Literal(1),
  server: text,
  by: text,
  at: Type.Number(),
  events: Type.Array(EventEvidence),
  media: Type.Array(EvidenceMedium),
});
export type EvidenceFile = Static<typeof EvidenceFile>;

/** Uploads JSON as it's written by `JSON.stringify`. Returns its mxc URI. */
export const uploadEvidence = async (server: Server, file: EvidenceFile): Promise<string> => {
  const path = '/media/v3/upload?filename=gatehouse-evidence.json';
  return (await server.sendChat('POST', Uploaded, path, { body: body(EvidenceFile, file), patient: true }))
    .content_uri;
};

export const downloadEvidence = (
  server: Server,
  uri: string,
  signal?: AbortSignal,
): Promise<EvidenceFile> => {
  const { origin, mediaId } = parseMxcUri(uri);
  const path = `/client/v1/media/download/${encodeURIComponent(origin)}/${encodeURIComponent(mediaId)}`;
  return server.getChat(EvidenceFile, path, { signal, patient: true });
};
