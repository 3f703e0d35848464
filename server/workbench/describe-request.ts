/** A request as it may be shown: without any secret. */
import type { OutgoingHttpHeader } from 'node:http';
import { readJson } from '../../shared/read-json.ts';
import { type InspectedRequest, struckOut } from '../../shared/workbench/inspector.ts';
import { isDeeperThan } from '../core/json-depth.ts';
import { isSecretHeader } from '../core/secret-names.ts';
import { longestOf } from '../database/statement-texts.ts';
import { type StrikeOut, striking } from './strike-out.ts';
import type { Gathered, Seen } from './watch-request.ts';

/** As much of a body is kept, in characters. */
const longestShown = 16 * 1024;
/** Nothing that the server has taken is nested more deeply, in a reply neither. */
const deepestShown = 1_000;

/** @param secrets known ones, beside the token that the request itself shows */
export function describeRequest(number: number, seen: Seen, secrets: readonly string[]): InspectedRequest {
  const { url, rawHeaders, database } = seen;
  const [, contentType] = pairs(rawHeaders).find(([name]) => name === 'content-type') ?? [];
  const strike = striking([...secrets, ...shownTokens(rawHeaders, url)]);
  return {
    number,
    received_ts: seen.receivedTs,
    method: seen.method,
    path: strike.inPath(url),
    request: {
      headers: pairs(rawHeaders).map((pair) => shownHeader(pair, strike)),
      ...shownBody(seen.asked, contentType, strike),
    },
    reply: {
      status: seen.status,
      headers: Object.entries(seen.replyHeaders).map(([name, value]) =>
        shownHeader([name, textOf(value)], strike),
      ),
      ...shownBody(seen.answered, textOf(seen.replyHeaders['content-type']), strike),
    },
    ms: seen.took,
    user_id: seen.userId,
    database: {
      statements: database.statements,
      ms: database.milliseconds,
      asked: longestOf(database.texts).map(({ sql, times, milliseconds }) => ({
        sql,
        times,
        ms: milliseconds,
      })),
    },
  };
}

/** Only JSON is shown: of anything else nobody knows which part of it is a secret. */
function shownBody(gathered: Gathered | undefined, type: string | undefined, strike: StrikeOut) {
  if (!gathered || gathered.size === 0) return { body: null, size: 0, cut: false };
  const { held, size } = gathered;
  const json = held === undefined ? undefined : parsed(textIn(held, size));
  if (json === undefined) {
    return { body: `(${size} bytes of ${strike.inText(type || 'unknown type')})`, size, cut: true };
  }
  // A bare text or number has no name that says what it is.
  if (typeof json.value === 'string' || typeof json.value === 'number') {
    return { body: `(a ${typeof json.value} of ${size} bytes)`, size, cut: true };
  }
  const text = JSON.stringify(strike.inJson(json.value));
  return { body: text.slice(0, longestShown), size, cut: text.length > longestShown };
}

const textIn = (held: string | Uint8Array, size: number) =>
  typeof held === 'string' ? held : Buffer.from(held.buffer, held.byteOffset, size).toString();

function parsed(text: string): { value: unknown } | undefined {
  if (isDeeperThan(text, deepestShown)) return undefined;
  try {
    return { value: readJson(text) };
  } catch {
    return undefined;
  }
}

/** What stands in the place of a token is one, whatever it looks like. */
function shownTokens(rawHeaders: readonly string[], url: string): string[] {
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

function shownHeader([name, value]: [string, string], strike: StrikeOut): [string, string] {
  if (isSecretHeader(name)) return [name, struckOut];
  // They hold addresses, with what is in their queries.
  return [name, name === 'referer' || name === 'location' ? strike.inPath(value) : strike.inText(value)];
}

const textOf = (value: OutgoingHttpHeader | undefined) => [value ?? ''].flat().join(', ');
