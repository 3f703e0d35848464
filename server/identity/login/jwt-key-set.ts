/** Verifies signatures with a JSON Web Key Set (RFC 7517), from a URL or a file. Its keys may change at any time. */
import { createLocalJWKSet, createRemoteJWKSet, errors, type JSONWebKeySet } from 'jose';
import { type CompactVerifyGetKey, compactVerify } from 'jose/jws/compact/verify';
import { readJson } from '../../../shared/read-json.ts';
import type { JwtConfig } from '../../platform/config/jwt.ts';
import { readRegularFile } from '../../platform/config/named-file.ts';

/** Rejects unless the signature is valid. */
export type VerifySignature = (token: string) => Promise<unknown>;

/** The keys can't be fetched or read. */
export class KeySetUnavailable extends Error {}

/** In milliseconds. */
const timeout = 5_000;
/** How long fetched keys are used, in milliseconds: a revoked key is refused after this time. */
const lifetime = 10 * 60_000;
/** How long a token with an unknown key doesn't cause another request, in milliseconds. */
const cooldown = 10_000;

type FindKey = CompactVerifyGetKey;

export function verifyWithKeySet(
  source: NonNullable<JwtConfig['keySet']>,
  algorithm: string,
): VerifySignature {
  const findKey: FindKey =
    'url' in source
      ? createRemoteJWKSet(new URL(source.url), {
          timeoutDuration: timeout,
          cacheMaxAge: lifetime,
          cooldownDuration: cooldown,
        })
      : keysInFile(source.path);
  const options = { algorithms: [algorithm] };
  return async (token) => {
    try {
      return await compactVerify(token, explainFailure(findKey), options);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // The token doesn't name its key.
      for await (const key of error) {
        const verified = await compactVerify(token, key, options).catch((fault) => {
          if (fault instanceof errors.JWSSignatureVerificationFailed) return undefined;
          throw fault;
        });
        if (verified) return verified;
      }
      throw new errors.JWSSignatureVerificationFailed();
    }
  };
}

/** Distinguishes the failure to get the keys from that to find one. */
const explainFailure =
  (findKey: FindKey): FindKey =>
  async (header, token) => {
    try {
      return await findKey(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      if (error instanceof errors.JOSENotSupported) throw new errors.JWKSNoMatchingKey();
      throw new KeySetUnavailable("couldn't load the key set");
    }
  };

/** Reads the file again if it has no key for a token. */
function keysInFile(path: string): FindKey {
  let known: FindKey | undefined;
  const read = async () => {
    known = createLocalJWKSet(readJson((await readRegularFile(path)).toString()) as JSONWebKeySet);
    return known;
  };
  return async (header, token) => {
    const find = known ?? (await read());
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await read())(header, token);
    }
  };
}
