import { createPublicKey } from 'node:crypto';
import type { JwtConfig } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Settings } from './settings.ts';

/** Every algorithm that can be configured. */
const jwtAlgorithms = [
  ...['HS256', 'HS384', 'HS512'],
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** How JWT logins are checked; undefined where they are off. Interface: "Authentication" 2. @throws ConfigurationError */
export function jwtConfig({ jwt_config: settings }: Settings): JwtConfig | undefined {
  if (!settings?.enabled) return undefined;
  const { secret, algorithm } = settings;
  if (secret === undefined) {
    throw new ConfigurationError(
      'jwt_config.secret',
      'it is missing',
      'write the secret or public key that checks tokens',
    );
  }
  if (algorithm === undefined || !jwtAlgorithms.some((known) => known === algorithm)) {
    throw new ConfigurationError(
      'jwt_config.algorithm',
      'it is not a signature algorithm that this server has',
      `write one of ${jwtAlgorithms.join(', ')}`,
    );
  }
  checkKey(algorithm, secret);
  return {
    secret,
    algorithm,
    subjectClaim: settings.subject_claim ?? 'sub',
    displayNameClaim: settings.display_name_claim,
    issuer: settings.issuer,
    audiences: settings.audiences,
  };
}

function checkKey(algorithm: string, secret: string): void {
  const isPem = /^\s*-----BEGIN /.test(secret);
  if (algorithm.startsWith('HS')) {
    if (!isPem) return;
    throw new ConfigurationError(
      'jwt_config.algorithm',
      'the secret is a key pair’s key, which everyone may know, and would be used as a shared secret',
      'write the algorithm that the key is for, such as RS256',
    );
  }
  const kind = algorithm.startsWith('ES') ? 'ec' : algorithm.startsWith('Ed') ? 'ed25519' : 'rsa';
  if (isPem && keyType(secret) === kind) return;
  throw new ConfigurationError(
    'jwt_config.secret',
    `it is not a public key that ${algorithm} can use`,
    'write the public key in PEM, beginning with -----BEGIN PUBLIC KEY-----',
  );
}

function keyType(pem: string): string | undefined {
  try {
    return createPublicKey(pem).asymmetricKeyType;
  } catch {
    return undefined;
  }
}
