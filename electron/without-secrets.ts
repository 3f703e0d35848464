/** Text as it may be written down: whatever looks like a secret is left out of it. */

/** What stands before a secret, as headers, addresses, JSON and settings write it. */
const named =
  /((?:access_?token|refresh_?token|login_?token|loginToken|token|password|passwd|secret|shared_secret|authorization|macaroon|api_?key|private_key)["']?\s*[:=]\s*["']?)(?!\[)[^\s"',;&}]+/gi;
const bearer = /\b(Bearer|Basic)\s+[\w\-.~+/=]+/gi;
/** JSON Web Tokens, tokens as servers of this kind make them, and our own; an event's id begins with a `$`. */
const shaped =
  /\b(eyJ[\w-]+\.[\w-]+\.[\w-]*|(?:syt|syr|syl|mat|mct|msc)_[\w-]+)|(?<![\w$-])[\w-]{43}(?![\w-])/g;
const credentials = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@:]+:[^\s/@]+@/gi;
const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;

export const withoutSecrets = (text: string): string =>
  text
    .replace(pem, '[key]')
    .replace(bearer, '$1 [secret]')
    .replace(named, '$1[secret]')
    .replace(credentials, '$1[secret]@')
    .replace(shaped, '[secret]');
