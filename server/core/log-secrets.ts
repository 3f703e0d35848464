/** Keeping what lets somebody in out of the log, however it was spelled. */
import { readJson } from '../../shared/read-json.ts';
import { isSecretField } from './secret-names.ts';

const names = [
  ...[
    '(?:id[_-]?)?access[_-]?token',
    '(?:id|refresh|login|registration)?[_-]?token',
    '(?:client[_-]?)?secret',
  ],
  ...[
    '(?:new[_-]?|old[_-]?)?passw(?:or)?d',
    'nonce',
    'mac',
    'session',
    'jwt',
    'api[_-]?key',
    'authorization',
  ],
].join('|');
/** A name, quoted or with an index, and what stands between it and its value; or a token in a header's form. */
const beforeSecret = `(?<![a-z0-9_])(?:(?:${names})[\\s"'\\\\\\[\\]\\d]*[=:][\\s"'\\\\=]*(?:bearer\\s+)?|bearer\\s+)`;
const secretStart = new RegExp(beforeSecret, 'i');
const secretInText = new RegExp(`(${beforeSecret})(?!<redacted>)[^\\s"'\\\\&;,]+`, 'gi');

/** A text in which whatever looks like a secret with its name is replaced. */
const withoutSecrets = (text: string) => text.replaceAll(secretInText, '$1<redacted>');

const anyName = new RegExp(`${names}|bearer`, 'i');
const onlyName = new RegExp(`^(?:${names})$`, 'i');

/**
 * A line of JSON without secrets in what it says. They are looked for in its texts as they are meant: replaced in JSON as
 * it is written, half an escape or the end of a text would go with them.
 */
export function lineWithoutSecrets(line: string): string {
  if (!anyName.test(line)) return line;
  const shown = JSON.stringify(readJson(line), (key, value) => {
    if (typeof value !== 'string') return value;
    return onlyName.test(key) ? '<redacted>' : withoutSecrets(value);
  });
  return `${shown}\n`;
}

/**
 * A request's path and query as they came, but for secrets. What can't stand in one line was refused before.
 *
 * @param secretParts parts of the path that are known to be secrets, decoded
 */
export function withoutSecretsInUrl(url: string, secretParts: readonly string[]): string {
  if (secretParts.length === 0 && !mayHoldSecret(url)) return url;
  const [, path = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(url) ?? [];
  const parts = path.replace(/^(\w+:\/\/)[^/]*@/, '$1<redacted>@').split('/');
  // What follows is a registration token, on a route or where there is none.
  const tokens = parts.findIndex((part) => decoded(part) === 'registration_tokens');
  const shownPath = parts.map(shownPart).join('/');
  return query === undefined ? shownPath : `${shownPath}?${query.split('&').map(shownPair).join('&')}`;

  function shownPart(part: string, index: number): string {
    const isToken = tokens !== -1 && index > tokens && part !== '' && part !== 'new';
    return isToken || secretParts.includes(decoded(part)) ? '<redacted>' : shownPair(part);
  }
}

/** Whether it is worth to look at the parts of a request's path and query: most hold nothing that is a secret. */
function mayHoldSecret(url: string): boolean {
  const text = decoded(url);
  if (text.includes('registration_tokens')) return true;
  if (plainPath.test(text)) return false;
  return /:\/\/[^/]*@/.test(text) || secretStart.test(text) || hasSecretField(text);
}

/** Whether something is given to a code, a ticket or the like, whose names are words like others elsewhere. */
const hasSecretField = (text: string) =>
  text.split(/[?&;]/).some((pair) => {
    const [, name] = /^([\w.[\]-]+)=./.exec(pair) ?? [];
    return name !== undefined && isSecretField(name);
  });

/** Nothing in it stands between a name and what that is of. */
const plainPath = /^[\w./-]*$/;

/** Some take `;` for the end of a pair and some don't, so what follows a secret may be the rest of it. */
function shownPair(pair: string): string {
  const pieces = pair.split(/([;?])/);
  const first = pieces.map(decoded).findIndex((piece) => secretStart.test(piece) || hasSecretField(piece));
  if (first === -1) return pair;
  const [, name] = /^([\w%.+[\]-]*)=/.exec(pieces[first] ?? '') ?? [];
  const shown = name === undefined || secretStart.test(decoded(name)) ? '<redacted>' : `${name}=<redacted>`;
  return [...pieces.slice(0, first), shown].join('');
}

/** Decoded as often as anyone might: what is encoded twice is found, too. */
function decoded(text: string): string {
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
