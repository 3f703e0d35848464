/** A text as it stands in the log: others have a say in it, and what they say must not look like entries of the app's. */

/** In characters: what a server answers with may be a whole page. */
const longest = 10_000;

/** Before anything else is done with it. The last word goes: half a secret would not be known for one. */
export const shortened = (text: string): string =>
  text.length <= longest ? text : text.slice(0, longest).replace(/\S{0,300}$/, '');

export const asOneEntry = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, '').replaceAll(/[\n\u2028\u2029]+(?=[^\n])/g, '\n  ');

/** Text as it may be written down: whatever looks like a secret is left out of it. */

/** What a secret is called in headers, addresses, JSON and settings; more may stand before it. */
const name =
  '(?:token|password|passwd|passphrase|pepper|secret|authorization|macaroon|cookie|api[_-]?key|private[_-]?key)[\\w-]{0,30}';
/** What stands after its name: in quotation marks, up to the end of the line, or one word. */
const quoted = new RegExp(`(${name}["']?\\s*[:=]\\s*)(["'])(?:\\\\.|(?!\\2)[^\\\\])*`, 'gi');
const line = new RegExp(`(${name}:[ \\t]+)(?!["'[])[^\\n]+`, 'gi');
const word = new RegExp(`(${name}["']?\\s*(?:[:=]|%3[AD])\\s*)(?!["'[])[^\\s"',;&}]+`, 'gi');
/** JSON that stands in a text of other JSON. */
const escaped = new RegExp(`(${name}\\\\"\\s*:\\s*\\\\")(?:(?!\\\\").)*`, 'gi');
const argument = new RegExp(`(--[\\w-]{0,30}${name} +)[^\\s-][^\\s]*`, 'gi');
const bearer = /\b(Bearer|Basic)\s+[\w\-.~+/=]+/gi;
/** JSON Web Tokens, tokens as servers of this kind make them, and our own; an event's id begins with a `$`. */
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
