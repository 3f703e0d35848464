/** Which keys an algorithm of RFC 7518 or RFC 8037 can be used with. */
import type { KeyObject } from 'node:crypto';
import type { JwtAlgorithm } from '../../shared/workbench/jwt.ts';

const curves: Partial<Record<JwtAlgorithm, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
};

/** RFC 7518, 3.3: smaller keys must not be used. */
const smallestModulus = 2048;

/** @param key of a pair, either one */
export function isKeyFor(algorithm: JwtAlgorithm, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (algorithm.startsWith('ES')) return asymmetricKeyType === 'ec' && namedCurve === curves[algorithm];
  if (algorithm.startsWith('Ed')) return asymmetricKeyType === 'ed25519';
  return asymmetricKeyType === 'rsa' && modulusLength >= smallestModulus;
}

/** What such a key is called by those who make one. */
export function kindOfKey(algorithm: JwtAlgorithm): string {
  if (algorithm.startsWith('ES'))
    return `on the curve P-${algorithm === 'ES512' ? '521' : algorithm.slice(2)}`;
  if (algorithm.startsWith('Ed')) return 'of type Ed25519';
  return `of type RSA with at least ${smallestModulus} bits`;
}
