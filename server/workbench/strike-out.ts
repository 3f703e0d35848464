/**
 * Taking secrets out of what is shown of requests. What is a secret is told by its name, wherever that stands; by its
 * form; and by being one that the configuration or the request itself is known to hold.
 */
import { readJson } from '../../shared/read-json.ts';
import { struckOut } from '../../shared/workbench/inspector.ts';
import type { Config } from '../config/config.ts';
import { isDeeperThan } from '../core/json-depth.ts';
import { withoutSecretsInUrl } from '../core/log-secrets.ts';
import { isSecretInText, isSecretLabel, isSecretName } from '../core/secret-names.ts';

/** Where a JWT may stand. Each of these forms is looked for in a time that grows with the text, whatever it is. */
const dotted = /[\w.-]+/g;
/** What this server makes as tokens. Identifiers of events and rooms are as long, after a sign of their own. */
const random = /(?<![\w$!%-])[\w-]{43}(?![\w-])/g;
const otherTokens = /\b(?:syt|syr|syl|mat|mct|msc)_[\w-]+/g;
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const inAddress = /:\/\/[^\s/@:]*:[^\s/]+@/g;
/** A name in a text, up to its value; names of users and rooms, which have a sign before them, have a colon, too. */
const named = /(?<![\w.@#!$+-])([\w.-]+)["'\\\s]*[=:]["'\\\s]*(?:(?:bearer|basic|digest)\s+)?/gi;
const value = /(?!<redacted>)[^\s"'\\&;,]+/y;
const bearer = /(?<![\w-])(bearer\s+)(?!<redacted>)[^\s"'\\&;,]+/gi;
/** How often an address may be encoded within others, and how deeply JSON within a string is nested. */
const mostEncoded = 4;
const deepestWithin = 100;

/** What says in an object of two, such as those of lists of headers, what the other one is. */
const labels = ['name', 'key', 'header', 'field', 'Name', 'Key'];

const notificationConditions =
  /^(event_(match|property_is|property_contains)|sender_notification_permission)$/;

export type StrikeOut = {
  /** A text of which nothing is known. */
  inText(text: string): string;
  /** A path with its query. */
  inPath(url: string): string;
  /** JSON, as what `JSON.parse` gave, and not nested more deeply than functions call each other. */
  inJson(value: unknown): unknown;
};

/** @param secrets that are known by themselves, such as the token that a request showed */
export function striking(secrets: readonly string[]): StrikeOut {
  const exact = secrets.filter((secret) => secret.length > 3);

  function inText(text: string): string {
    let shown = text;
    for (const secret of exact) if (shown.includes(secret)) shown = shown.replaceAll(secret, struckOut);
    // The shortest that has one of these forms.
    if (shown.length < 8) return shown;
    shown = shown
      .replace(pem, struckOut)
      .replace(dotted, withoutJwts)
      .replace(random, struckOut)
      .replace(otherTokens, struckOut)
      .replace(inAddress, `://${struckOut}@`);
    return withoutNamed(shown).replace(bearer, `$1${struckOut}`);
  }

  /** A text that is JSON itself may hold what only its names tell. */
  function inString(text: string): string {
    if (/^\s*[[{]/.test(text) && !isDeeperThan(text, deepestWithin)) {
      try {
        const value: unknown = readJson(text);
        const shown = JSON.stringify(inJson(value));
        return shown === JSON.stringify(value) ? text : shown;
      } catch {
        // It only begins like JSON.
      }
    }
    return inText(text);
  }

  /** Percent-encoded text stays as it came, unless what it says holds a secret. */
  function inEncoded(text: string, rounds = mostEncoded): string {
    const plain = decoded(text);
    if (plain === text || rounds === 0) return inText(text);
    const shown = inEncoded(plain, rounds - 1);
    if (shown === plain) return inText(text);
    return encodeURIComponent(shown).replaceAll(encodeURIComponent(struckOut), struckOut);
  }

  function inJson(value: unknown): unknown {
    if (typeof value === 'string') return inString(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const [name] = value;
      const isPair = value.length === 2 && typeof name === 'string' && isSecretLabel(name);
      return isPair ? [inText(name), struckOut] : value.map(inJson);
    }
    // Its key is the part of an event that a rule for notifications looks at.
    const { kind } = value as Record<string, unknown>;
    const isCondition = typeof kind === 'string' && notificationConditions.test(kind);
    const isLabelled = labels.some((label) => isSecretLabel((value as Record<string, unknown>)[label]));
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        if (isLabelled && /^(?:value|values|content|data|text)$/i.test(name)) return [name, struckOut];
        // Whether there is one is no secret; nor is which stage of a registration or a login somebody has come to.
        const isBare = part === null || typeof part === 'boolean';
        const isStage = name === 'auth' && typeof part === 'object';
        if (isBare || isStage || (isCondition && name === 'key') || !isSecretName(name)) {
          return [inText(name), inJson(part)];
        }
        return [inText(name), struckOut];
      }),
    );
  }

  return {
    inText,
    inJson,
    inPath(url) {
      const [path = '', ...rest] = withoutSecretsInUrl(url, []).split('?');
      const shownPath = inText(
        path
          .split('/')
          .map((part) => (part.includes('%') ? inEncoded(part) : part))
          .join('/'),
      );
      if (rest.length === 0) return shownPath;
      const pairs = rest
        .join('?')
        .split('&')
        .map((pair) => {
          const [name = ''] = pair.split('=', 1);
          if (!pair.includes('=')) return inEncoded(pair);
          if (isSecretName(decoded(name))) return `${name}=${struckOut}`;
          return `${inText(name)}=${inEncoded(pair.slice(name.length + 1))}`;
        });
      return `${shownPath}?${pairs.join('&')}`;
    },
  };
}

/** Everything that the configuration says nobody may know. */
export function secretsOf({
  jwt: tokens,
  registration,
  appServices,
  turn,
  externalAuthentication,
  database,
}: Config): string[] {
  return [
    tokens?.algorithm.startsWith('HS') ? tokens.secret : undefined,
    registration.sharedSecret,
    ...appServices.flatMap(({ token, hsToken }) => [token, hsToken]),
    turn && ('sharedSecret' in turn ? turn.sharedSecret : turn.password),
    externalAuthentication?.secret,
    database.name === 'psycopg2' ? database.password : undefined,
  ].filter((secret) => secret !== undefined);
}

/** What follows another name, such as a whole address after its `https:`, may have a secret's name in it. */
function withoutNamed(text: string): string {
  let shown = '';
  let end = 0;
  for (const { 0: all, 1: name = '', index } of text.matchAll(named)) {
    if (index < end) continue;
    // Whatever is given a value like this is no word of a sentence.
    const isAssigned = all.startsWith('=', name.length);
    if (!(isAssigned ? isSecretName(name) : isSecretInText(name))) continue;
    const from = index + all.length;
    const hidden = valueAt(text, from);
    if (hidden === undefined) continue;
    shown += text.slice(end, from) + struckOut;
    end = from + hidden.length;
  }
  return shown + text.slice(end);
}

/** A value that begins there: all of it, where it stands between quotes. */
function valueAt(text: string, from: number): string | undefined {
  const quote = text[from - 1] ?? '';
  let end = /["']/.test(quote) ? text.indexOf(quote, from) : -1;
  // What stands before it may keep it from being read as an end.
  while (text[end - 1] === '\\') end--;
  if (end > from) return text.slice(from, end);
  value.lastIndex = from;
  return value.exec(text)?.[0];
}

/** Three parts between dots, of which the first has the beginning of a JSON object in base64url. */
function withoutJwts(text: string): string {
  if (!text.includes('eyJ')) return text;
  const parts = text.split('.');
  const shown: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const begin = parts.length - index < 3 ? -1 : part.indexOf('eyJ');
    shown.push(begin < 0 ? part : part.slice(0, begin) + struckOut);
    if (begin >= 0) index += 2;
  }
  return shown.join('.');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // One code that is none must not hide what the others say.
    return text.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  }
}
