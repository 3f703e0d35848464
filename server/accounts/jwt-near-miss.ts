/** Why a signature doesn't match where the secret is nearly right. */
import type { JwtConfig } from '../config/jwt.ts';
import { createSignatureCheck } from './jwt-signature.ts';
import { openToken } from './jwt-token.ts';

const lineEnd = /\r?\n$/;

/**
 * A line end at the end of a shared secret is a part of it as any other character, and easily gets there, or into the
 * key of whoever signs, without being meant: by `secret: |` in YAML, by `echo` and by editors.
 *
 * @returns what to do about it, or undefined where a token isn't signed with the secret but for its line end either
 */
export function nearMiss({ algorithm, secret }: JwtConfig, text: string): string | undefined {
  const token = openToken(text);
  if (!algorithm.startsWith('HS') || !token?.signature) return undefined;
  const { signingInput, signature } = token;
  const isSignedWith = (key: string) =>
    key !== '' && createSignatureCheck(algorithm, key)?.(signingInput, signature) === true;
  if (lineEnd.test(secret) && isSignedWith(secret.replace(lineEnd, ''))) {
    return 'The token was signed without the trailing newline of the configured secret. In YAML, start a multi-line secret with |- instead of | to omit the newline.';
  }
  if ([`${secret}\n`, `${secret}\r\n`].some(isSignedWith)) {
    return 'The token was signed with the configured secret plus a trailing newline, as editors and echo add. Sign without the newline.';
  }
  return undefined;
}
