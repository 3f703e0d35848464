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
    return 'It is signed with the configured secret without the line end there at its end. In YAML a secret of several lines that is to have none begins with |- in place of |.';
  }
  if ([`${secret}\n`, `${secret}\r\n`].some(isSignedWith)) {
    return 'It is signed with the configured secret and a line end after it, which an editor or echo puts at the end of a file: sign without it.';
  }
  return undefined;
}
