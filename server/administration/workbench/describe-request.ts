/** Describes a request and its reply with all secrets redacted. */
import type { OutgoingHttpHeader } from 'node:http';
import { readJson } from '../../../shared/read-json.ts';
import type { InspectedRequest } from '../../../shared/workbench/inspector.ts';
import { isDeeperThan } from '../../platform/core/json.ts';
import { createRedactor, type Redactor } from '../../platform/core/redactor.ts';
import { slowestOf } from '../../platform/database/query/statements.ts';
import { type Gathered, joinText, type RecordedRequest } from './watch-request.ts';

/** Maximum length of a recorded body, in characters. */
const maxBodyLength = 16 * 1024;
/** No request that the server accepts and no reply is nested more deeply. */
const maxDepth = 1_000;

/** @param secrets known ones, in addition to the request's own token */
export function describeRequest(
  number: number,
  seen: RecordedRequest,
  secrets: readonly string[],
): InspectedRequest {
  const { url, rawHeaders, database } = seen;
  const [, contentType] = pairs(rawHeaders).find(([name]) => name === 'content-type') ?? [];
  const redactor = createRedactor([...secrets, ...ownTokens(rawHeaders, url)]);
  return {
    number,
    received_ts: seen.receivedTs,
    method: seen.method,
    path: redactor.url(url),
    request: {
      headers: pairs(rawHeaders).map(([name, value]) => [name, redactor.header(name, value)]),
      ...shownBody(seen.requestBody, contentType, redactor),
    },
    reply: {
      status: seen.status,
      headers: Object.entries(seen.replyHeaders).map(([name, value]) => [
        name,
        redactor.header(name, textOf(value)),
      ]),
      ...shownBody(seen.answered, textOf(seen.replyHeaders['content-type']), redactor),
    },
    ms: seen.took,
    user_id: seen.userId,
    database: {
      statements: database.statements,
      ms: database.milliseconds,
      asked: slowestOf(database.texts).map(({ sql, times, milliseconds }) => ({
        sql,
        times,
        ms: milliseconds,
      })),
    },
  };
}

/** Only JSON is shown: secrets in other content can't be recognized. */
function shownBody(gathered: Gathered | undefined, type: string | undefined, redactor: Redactor) {
  if (!gathered || gathered.size === 0) return { body: null, size: 0, cut: false };
  const { chunks, size } = gathered;
  const json = chunks && parsed(joinText(chunks));
  if (json === undefined) {
    return { body: `(${size} bytes of ${redactor.text(type || 'unknown type')})`, size, cut: true };
  }
  // Without a name, any text or number may be a secret.
  if (typeof json.value === 'string' || typeof json.value === 'number') {
    return { body: `(a ${typeof json.value} of ${size} bytes)`, size, cut: true };
  }
  const text = JSON.stringify(redactor.json(json.value));
  return { body: text.slice(0, maxBodyLength), size, cut: text.length > maxBodyLength };
}

function parsed(text: string): { value: unknown } | undefined {
  if (isDeeperThan(text, maxDepth)) return undefined;
  try {
    return { value: readJson(text) };
  } catch {
    return undefined;
  }
}

/** Finds the access token in any format. */
function ownTokens(rawHeaders: readonly string[], url: string): string[] {
  const header = pairs(rawHeaders).flatMap(([name, value]) =>
    name === 'authorization' ? [value.replace(/^\w+ +/, '')] : [],
  );
  const [, inQuery] = /[?&]access_token=([^&]*)/.exec(url) ?? [];
  return inQuery ? [...header, inQuery] : header;
}

function pairs(rawHeaders: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    (rawHeaders[2 * index] ?? '').toLowerCase(),
    rawHeaders[2 * index + 1] ?? '',
  ]);
}

const textOf = (value: OutgoingHttpHeader | undefined) => [value ?? ''].flat().join(', ');
