/** Redacts secrets for the log and the inspector: known ones, and others by their name or format. */
import { readJson } from '../../../shared/read-json.ts';
import { REDACTED } from '../../../shared/workbench/inspector.ts';
import { isDeeperThan } from './json.ts';

export type Redactor = {
  /** Redacts free text, such as an error message. */
  text(text: string): string;
  /**
   * Redacts a request's path and query, as sent.
   *
   * @param secretSegments decoded segments of the path that are secrets
   */
  url(url: string, secretSegments?: readonly string[]): string;
  /** Redacts the value of a header, whose name is in lower case. */
  header(name: string, value: string): string;
  /** Redacts parsed JSON, which must not be nested too deeply for the call stack. */
  json(value: unknown): unknown;
};

/** @param secrets known ones, such as the request's own access token */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const known = secrets.filter((secret) => secret.length > 3);

  function text(original: string): string {
    let shown = original;
    for (const secret of known) if (shown.includes(secret)) shown = shown.replaceAll(secret, REDACTED);
    // The quick tests come first: every line of the log passes here.
    if (shown.includes('-----BEGIN')) shown = shown.replace(pem, REDACTED);
    if (shown.includes('eyJ')) shown = shown.replace(dotted, redactJwts);
    if (shown.includes('://')) shown = shown.replace(userInfo, `://${REDACTED}@`);
    shown = shown.replace(randomToken, REDACTED).replace(synapseToken, REDACTED);
    if (/[=:]/.test(shown)) shown = redactNamed(shown);
    return shown.replace(bearer, `$1${REDACTED}`);
  }

  function url(original: string, secretSegments: readonly string[] = []): string {
    const plain = decode(original);
    const hasTokens = plain.includes('registration_tokens');
    if (secretSegments.length === 0 && !hasTokens && text(plain) === plain) return original;
    const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(original) ?? [];
    const segments = path.replace(/^(\w+:\/\/)[^/]*@/, `$1${REDACTED}@`).split('/');
    // Registration tokens are part of the path, also on paths that don't exist.
    const tokensAt = segments.findIndex((segment) => decode(segment) === 'registration_tokens');
    const shownPath = segments
      .map((segment, index) => {
        const isToken = tokensAt !== -1 && index > tokensAt && segment !== '' && segment !== 'new';
        return isToken || secretSegments.includes(decode(segment)) ? REDACTED : parameter(segment);
      })
      .join('/');
    return query === undefined ? shownPath : `${shownPath}?${query.split('&').map(parameter).join('&')}`;
  }

  function parameter(original: string): string {
    // Some parsers end a parameter at `;` and some don't: the text after a secret may be part of it.
    const parts = original.split(/([;?])/);
    const first = parts.findIndex(hasSecret);
    if (first === -1) return original;
    const [, name] = /^([^=]*)=/.exec(parts[first] ?? '') ?? [];
    const shown = name === undefined || hasSecret(name) ? REDACTED : `${name}=${REDACTED}`;
    return [...parts.slice(0, first), shown].join('');
  }

  function hasSecret(encoded: string): boolean {
    const plain = decode(encoded);
    return text(plain) !== plain;
  }

  function json(value: unknown): unknown {
    if (typeof value === 'string') return jsonInText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const [name] = value;
      const isPair = value.length === 2 && typeof name === 'string' && isSecretLabel(name);
      return isPair ? [text(name), REDACTED] : value.map(json);
    }
    const members = value as Record<string, unknown>;
    // The key of a push rule's condition is a path in the event.
    const isCondition = typeof members.kind === 'string' && pushCondition.test(members.kind);
    const isLabelled = labels.some((label) => isSecretLabel(members[label]));
    const isSecret = (name: string, member: unknown) => {
      if (isLabelled && labelled.test(name)) return true;
      if (member === null || typeof member === 'boolean') return false;
      // The stage of an interactive authentication isn't a secret.
      if (name === 'auth' && typeof member === 'object') return false;
      return isSecretName(name) && !(isCondition && name === 'key');
    };
    return Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        text(name),
        isSecret(name, member) ? REDACTED : json(member),
      ]),
    );
  }

  function jsonInText(original: string): string {
    if (/^\s*[[{]/.test(original) && !isDeeperThan(original, maxDepthInText)) {
      try {
        const value: unknown = readJson(original);
        const shown = JSON.stringify(json(value));
        return shown === JSON.stringify(value) ? original : shown;
      } catch {
        // Not JSON.
      }
    }
    return text(original);
  }

  return {
    text,
    url,
    json,
    header(name, value) {
      if (isSecretHeader(name)) return REDACTED;
      return name === 'referer' || name === 'location' ? url(value) : text(value);
    },
  };
}

const maxDepthInText = 100;

// Each takes time linear in the length of the text.
const dotted = /[\w.-]+/g;
/** This server's tokens. IDs of events and rooms have the same length, after a sigil. */
const randomToken = /(?<![\w$!%-])[\w-]{43}(?![\w-])/g;
const synapseToken = /\b(?:syt|syr|syl|mat|mct|msc)_[\w-]+/g;
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
const userInfo = /:\/\/[^\s/@:]*:[^\s/]+@/g;
/** A name and the text before its value. Excludes user and room IDs, which have a colon but also a sigil. */
const named =
  /(?<![\w.@#!$+-])([\w.-]+(?:\[[\w.-]*\])*)["'\\\s]*([=:])["'\\\s]*(?:(?:bearer|basic|digest)\s+)?/gi;
const unquoted = /(?!<redacted>)[^\s"'\\&;,]+/y;
const bearer = /(?<![\w-])(bearer\s+)(?!<redacted>)[^\s"'\\&;,]+/gi;

/** Members that name another member of the same object, such as in lists of headers. */
const labels = ['name', 'key', 'header', 'field', 'Name', 'Key'];
const labelled = /^(?:value|values|content|data|text)$/i;

const pushCondition = /^(event_(match|property_is|property_contains)|sender_notification_permission)$/;

function redactNamed(text: string): string {
  let shown = '';
  let end = 0;
  for (const { 0: match, 1: name = '', 2: sign, index } of text.matchAll(named)) {
    if (index < end) continue;
    // Before `=` it can't be a word of a sentence.
    if (!(sign === '=' ? isSecretName(name) : isSecretInText(name))) continue;
    const from = index + match.length;
    const value = valueAt(text, from);
    if (value === undefined) continue;
    shown += text.slice(end, from) + REDACTED;
    end = from + value.length;
  }
  return shown + text.slice(end);
}

function valueAt(text: string, from: number): string | undefined {
  const quote = text[from - 1] ?? '';
  let end = /["']/.test(quote) ? text.indexOf(quote, from) : -1;
  // Excludes the backslashes of an escaped quote.
  while (text[end - 1] === '\\') end--;
  if (end > from) return text.slice(from, end);
  unquoted.lastIndex = from;
  return unquoted.exec(text)?.[0];
}

/** Finds three dot-separated parts, of which the first starts a JSON object in base64url. */
function redactJwts(text: string): string {
  const parts = text.split('.');
  const shown: string[] = [];
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    const start = parts.length - index < 3 ? -1 : part.indexOf('eyJ');
    shown.push(start < 0 ? part : part.slice(0, start) + REDACTED);
    if (start >= 0) index += 2;
  }
  return shown.join('.');
}

/** Decodes up to four levels of percent-encoding; invalid codes stay. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  let [before, after] = ['', text.replaceAll('+', ' ')];
  for (let round = 0; round < 4 && before !== after; round++) {
    before = after;
    after = before.replaceAll(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  }
  return after;
}

const anyOf = (patterns: readonly string[]) => new RegExp(patterns.join('|'), 'i');

/** Parts of names. */
const secretPart = anyOf([
  ...['token', 'passw', 'passphrase', 'secret', 'nonce', 'authori[sz]ation', 'cookie', 'jwt', 'credential'],
  ...['private', 'recovery', 'ciphertext', 'pickle', 'device_data', 'macaroon', 'mnemonic'],
  ...['captcha[._-]?response', 'turnstile[._-]?response', 'session$'],
  ...['(^|[._-])(mac|hmac|pin|[ht]?otp|pass|passcode|pwd|auth_data)$', '(^|[._-]|push|api)keys?$'],
]);
/** Codes that grant access, unlike those of errors, languages and countries. */
const accessCodes = [
  ...['pin', 'auth', 'verification', 'user', 'device', 'recovery', 'security', 'log[._-]?in', 'sign[._-]?in'],
  ...[
    'sms',
    'e?mail',
    'otp',
    'mfa',
    '2fa',
    'access',
    'backup',
    'invite',
    'invitation',
    'reset',
    'activation',
  ],
  ...['confirmation', 'pairing'],
].join('|');
/** Whole names or their ends, which in a sentence are ordinary words. */
const secretField = anyOf([
  ...['^(sid|answer|response|pin|assertion|bearer|saml_?response|samlart)$'],
  ...['(^|[._-])(auth|dsn|psk|seed([._-]?(phrase|words))?|sig|signature|ticket|verifier)$'],
  `(^|${accessCodes})[._-]?codes?$`,
]);
/** Parts of names of headers, as proxies and browsers add them. */
const secretHeader = anyOf([
  ...['token', 'secret', 'auth', 'key', 'session', 'cookie', 'passw', 'signature', 'credential', 'jwt'],
  ...['assertion', 'bearer', 'dpop', '(^|-)sid$', '(otp|mfa)-code$'],
]);
const publicHeader = /^(?:(?:www|proxy)-authenticate|access-control-.*)$/i;
const publicNames = new Set([
  ...['state_key', 'next_token', 'prev_token', 'm.login.token', 'session_id', 'key_id'],
  ...['m.change_password', 'm.get_login_token', 'verify_keys', 'old_verify_keys'],
]);
/** Source files in stack traces, such as `passwords.ts:12`. */
const sourceFile = /\.[cm]?[jt]sx?$/;

/** Turns `sessionKey` into `session_key`, `code[0]` into `code`, and `user[pin]` into `user.pin`. */
const normalize = (name: string) =>
  /[[A-Z]/.test(name)
    ? name
        .replaceAll(/\[\d*\]|\]/g, '')
        .replaceAll('[', '.')
        .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    : name;

const isPublic = (name: string) => publicNames.has(name.toLowerCase()) || sourceFile.test(name);

const hasSecretPart = (normal: string) => secretPart.test(normal) && !isPublic(normal);
const isSecretInText = (name: string) => hasSecretPart(normalize(name));

function isSecretName(name: string): boolean {
  const normal = normalize(name);
  return hasSecretPart(normal) || secretField.test(normal);
}

const isSecretHeader = (name: string) =>
  (secretHeader.test(name) || isSecretName(name)) && !publicHeader.test(name);

const isSecretLabel = (name: unknown) =>
  typeof name === 'string' && (isSecretName(name) || isSecretHeader(name)) && !isPublic(normalize(name));
