/** Formats untrusted text for the log so that it can't forge entries. */

/** In characters: a server's reply may be a whole page. */
const longest = 10_000;

/** Cut before redaction, without the last word: a truncated secret wouldn't be recognized. */
export const shortened = (text: string): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/\S{0,300}$/, '');

export const asOneEntry = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\n\u2028\u2029]+(?=[^\n])/g, '\n  ');

/** Redacts secrets from a text. */

/** Names of secrets in headers, URLs, JSON and settings, with any prefix. */
const name =
  '(?:token|password|passwd|passphrase|pepper|secret|authorization|macaroon|cookie|api[_-]?key|private[_-]?key)[\\w-]{0,30}';
/** The value after the name: quoted, up to the line's end, or one word. */
const quoted = new RegExp(`(${name}["']?\\s*[:=]\\s*)(["'])(?:\\\\.|(?!\\2)[^\\\\])*`, 'gi');
const line = new RegExp(`(${name}:[ \\t]+)(?!["'[])[^\\n]+`, 'gi');
const word = new RegExp(`(${name}["']?\\s*(?:[:=]|%3[AD])\\s*)(?!["'[])[^\\s"',;&}]+`, 'gi');
/** JSON escaped in a JSON string. */
const escaped = new RegExp(`(${name}\\\\"\\s*:\\s*\\\\")(?:(?!\\\\").)*`, 'gi');
const argument = new RegExp(`(--[\\w-]{0,30}${name} +)[^\\s-][^\\s]*`, 'gi');
const bearer = /\b(Bearer|Basic)\s+[\w\-.~+/=]+/gi;
/** JSON Web Tokens, Synapse's tokens and our own; an event ID starts with a `$`. */
const shaped =
  /\b(eyJ[\w-]+\.[\w-]+\.[\w-]*|(?:syt|syr|syl|mat|mct|msc)_[\w-]+)|(?<![\w$-])[\w-]{43}(?![\w-])/g;
const credentials = /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]+:[^\s/@]+@/gi;
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

export const withoutSecrets = (text: string): string =>
  text
    .replace(pem, '[key]')
    .replace(bearer, '$1 [secret]')
    .replace(quoted, '$1$2[secret]')
    .replace(line, '$1[secret]')
    .replace(word, '$1[secret]')
    .replace(escaped, '$1[secret]')
    .replace(argument, '$1[secret]')
    .replace(credentials, '$1[secret]@')
    .replace(shaped, '[secret]');
