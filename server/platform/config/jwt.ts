/** Login with JSON Web Tokens. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { readJson } from '../../../shared/read-json.ts';
import { type JwtAlgorithm, jwtAlgorithms } from '../../../shared/workbench/jwt.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readRegularFileSync } from './named-file.ts';
import { section } from './section.ts';

export type JwtConfig = {
  /** A shared secret for HMAC algorithms, a public key in PEM for the others; empty with a key set. */
  secret: string;
  /** A JSON Web Key Set (RFC 7517), whose keys may change: a URL, or the absolute path of a file. */
  keySet?: { url: string } | { path: string } | undefined;
  algorithm: JwtAlgorithm;
  subjectClaim: string;
  displayNameClaim: string | undefined;
  issuer: string | undefined;
  audiences: string[] | undefined;
};

const Jwt = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: 'Allows login with JSON Web Tokens; off if not set' }),
    ),
    algorithm: Type.Optional(
      Type.Enum([...jwtAlgorithms], {
        description: 'Signature algorithm: HS, RS, PS or ES with 256, 384 or 512, or EdDSA',
      }),
    ),
    secret: Type.Optional(Type.String({ minLength: 1, description: 'Shared secret, or public key in PEM' })),
    jwks_uri: Type.Optional(
      Type.String({
        pattern: '^https?://',
        title: 'an HTTP or HTTPS URL',
        examples: ['https://issuer.example.org/.well-known/jwks.json'],
        description:
          "URL of the issuer's public keys (JWKS), instead of `secret`; fetched again for unknown keys",
      }),
    ),
    jwks_path: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'File with public keys (JWKS), instead of `secret`; read again for unknown keys',
      }),
    ),
    subject_claim: Type.String({
      minLength: 1,
      default: 'sub',
      description: 'Claim with the localpart of the user ID',
    }),
    display_name_claim: Type.Optional(
      Type.String({ minLength: 1, description: 'Claim with the display name of new users' }),
    ),
    issuer: Type.Optional(Type.String({ minLength: 1, description: 'Required `iss` claim' })),
    audiences: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        minItems: 1,
        title: 'a list with at least one name',
        description: 'Accepted `aud` values; if not set, tokens with an audience are rejected',
      }),
    ),
  },
  { default: {}, additionalProperties: false },
);

export const jwt = section({ jwt_config: Jwt }, ({ jwt_config: settings }, { warn, configDir }) => {
  const { enabled, algorithm, secret } = settings;
  if (enabled && algorithm?.startsWith('HS') && secret?.endsWith('\n')) {
    warn(
      'jwt_config.secret: ends with a newline, which is part of the secret; write |- instead of | to omit it',
    );
  }
  return {
    /** Undefined if JWT login is off. */
    jwt: enabled ? required(settings, configDir) : undefined,
    /** Turned off explicitly, rather than by default. */
    isJwtDisabled: enabled === false,
  };
});

function required({ secret, algorithm, ...settings }: Static<typeof Jwt>, configDir: string): JwtConfig {
  const { jwks_uri: url, jwks_path: path } = settings;
  const given = Object.entries({ secret, jwks_uri: url, jwks_path: path }).filter(([, value]) => value);
  const [, second] = given.map(([name]) => name);
  if (second) {
    throw new ConfigurationError(
      `jwt_config.${second}`,
      'more than one source of keys',
      'remove all but one',
    );
  }
  if (given.length === 0) {
    throw new ConfigurationError(
      'jwt_config.secret',
      'missing',
      'set the secret or public key that verifies tokens, or jwks_uri',
    );
  }
  if (algorithm === undefined) {
    throw new ConfigurationError('jwt_config.algorithm', 'missing', `set one of ${jwtAlgorithms.join(', ')}`);
  }
  const keySet: JwtConfig['keySet'] =
    url !== undefined ? { url } : path !== undefined ? { path: resolve(configDir, path) } : undefined;
  if (keySet && algorithm.startsWith('HS')) {
    throw new ConfigurationError(
      'jwt_config.algorithm',
      'a key set has public keys, which must not be used as a shared secret',
      'set the algorithm of the keys, such as RS256',
    );
  }
  if (keySet && 'path' in keySet) requireKeySet(keySet.path);
  if (secret !== undefined) checkKey(algorithm, secret);
  return {
    secret: secret ?? '',
    keySet,
    algorithm,
    subjectClaim: settings.subject_claim,
    displayNameClaim: settings.display_name_claim,
    issuer: settings.issuer,
    audiences: settings.audiences,
  };
}

function requireKeySet(path: string): void {
  try {
    const { keys } = readJson(readRegularFileSync(path).toString()) as { keys?: unknown };
    if (Array.isArray(keys)) return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code)
      throw new ConfigurationError('jwt_config.jwks_path', `can't read ${path} (${code})`, 'check the path');
  }
  throw new ConfigurationError(
    'jwt_config.jwks_path',
    `${path} isn't a JSON Web Key Set`,
    'write {"keys": [...]}',
  );
}

function checkKey(algorithm: JwtAlgorithm, secret: string): void {
  const isPem = /^\s*-----BEGIN /.test(secret);
  if (algorithm.startsWith('HS')) {
    if (!isPem) return;
    throw new ConfigurationError(
      'jwt_config.algorithm',
      "the secret is a public or private key; a public key isn't secret and must not be used as a shared secret",
      'set the algorithm of the key, such as RS256',
    );
  }
  if (isPem && canVerify(algorithm, secret)) return;
  throw new ConfigurationError(
    'jwt_config.secret',
    `not a public key for ${algorithm}`,
    `set a public key ${describeKey(algorithm)} in PEM format (-----BEGIN PUBLIC KEY-----)`,
  );
}

function canVerify(algorithm: JwtAlgorithm, pem: string): boolean {
  try {
    return isKeyFor(algorithm, createPublicKey(pem));
  } catch {
    return false;
  }
}

const curves: Partial<Record<JwtAlgorithm, string>> = {
  ES256: 'prime256v1',
  ES384: 'secp384r1',
  ES512: 'secp521r1',
};

/** RFC 7518, section 3.3: smaller keys must not be used. */
const minModulusLength = 2048;

function isKeyFor(algorithm: JwtAlgorithm, { asymmetricKeyType, asymmetricKeyDetails }: KeyObject) {
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (algorithm.startsWith('ES')) return asymmetricKeyType === 'ec' && namedCurve === curves[algorithm];
  if (algorithm.startsWith('Ed')) return asymmetricKeyType === 'ed25519';
  return asymmetricKeyType === 'rsa' && modulusLength >= minModulusLength;
}

function describeKey(algorithm: JwtAlgorithm): string {
  if (algorithm.startsWith('ES'))
    return `on the curve P-${algorithm === 'ES512' ? '521' : algorithm.slice(2)}`;
  if (algorithm.startsWith('Ed')) return 'of type Ed25519';
  return `of type RSA with at least ${minModulusLength} bits`;
}
