/** JSON Web Tokens on the command line: made, and held to what the server's login holds them to. */
import { readFile } from 'node:fs/promises';
import { dialects } from '../../../shared/dialect.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { JwtAlgorithm, JwtCheck } from '../../../shared/workbench/jwt.ts';
import { explainLogin } from '../../administration/workbench/explain-login.ts';
import { createAppServices } from '../../identity/accounts/app-services.ts';
import { createJwtVerifier } from '../../identity/login/jwt.ts';
import { mintToken } from '../../identity/login/jwt-token.ts';
import type { JwtConfig } from '../../platform/config/jwt.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { systemClock } from '../../platform/core/clock.ts';

/** What a command ends with where it was asked for something that it can't do. */
const wrongUse = 2;

export type MintOptions = {
  sub: string;
  /** Further claims, as `name=value`; a value that is JSON is taken as that. */
  claim: readonly string[];
  /** How long the token is good, in seconds. */
  exp: number | 'never';
  algorithm: JwtAlgorithm | undefined;
  /** A file with the secret, or with a private key in PEM; without it the configured secret signs. */
  key: string | undefined;
};

/** Prints a token that a server with this configuration takes, unless claims say otherwise. */
export async function mintOnCommand(source: ConfigSource, options: MintOptions): Promise<void> {
  const { jwt } = await loadConfig(source);
  const algorithm = options.algorithm ?? jwt?.algorithm;
  if (!algorithm) {
    return refuse(
      'no algorithm; pass a configuration with jwt_config in --config, or pass --algorithm and --key',
    );
  }
  const key = options.key === undefined ? configuredSecret(jwt, algorithm) : await keyIn(options.key);
  if (key === undefined) {
    return refuse(
      jwt
        ? jwt.algorithm.startsWith('HS')
          ? `the configured shared secret can't sign with ${algorithm}; pass a private key with --key`
          : "the configured public key can't sign tokens; pass the private key with --key"
        : 'no key; pass a configuration with jwt_config.secret in --config, or pass --key',
    );
  }
  const now = Math.floor(systemClock.now() / 1000);
  const claims = {
    [jwt?.subjectClaim ?? 'sub']: options.sub,
    iat: now,
    ...(options.exp !== 'never' && { exp: now + options.exp }),
    ...(jwt?.issuer !== undefined && { iss: jwt.issuer }),
    ...(jwt?.audiences && { aud: jwt.audiences[0] }),
    ...Object.fromEntries(options.claim.map(claimOf)),
  };
  process.stdout.write(`${await mintToken({ claims, algorithm, key })}\n`);
}

/**
 * Prints each check of a token as a line, and the result. Exit code 0 for a valid token, 1 for a rejected one, 2 if JWT
 * login is off. Doesn't check the user, whose state only a running server knows.
 */
export async function verifyOnCommand(source: ConfigSource, token: string): Promise<void> {
  const config = await loadConfig(source);
  if (!config.jwt) {
    return refuse('JWT login is disabled; pass a configuration with jwt_config.enabled: true in --config');
  }
  const context = {
    config,
    appServices: await createAppServices(config.appServices, config.serverName),
    jwtVerifier: createJwtVerifier(config.jwt, systemClock),
    findUser: async () => undefined,
  };
  const [spoken = 'vendor'] = config.apiDialects;
  const { checks, accepted, refusal, hint } = await explainLogin(context, dialects[spoken], token);
  const lines = checks.map(asLine);
  lines.push(accepted ? 'Valid: the server accepts this token' : `Rejected: ${refusal}`);
  if (hint !== undefined) lines.push(hint);
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = accepted ? 0 : 1;
}

function refuse(sentence: string): void {
  process.stderr.write(`gatehouse: ${sentence}\n`);
  process.exitCode = wrongUse;
}

const configuredSecret = (jwt: JwtConfig | undefined, algorithm: JwtAlgorithm) =>
  jwt?.algorithm.startsWith('HS') && algorithm.startsWith('HS') ? jwt.secret : undefined;

/** Editors add a line break to the end of a file. */
const keyIn = async (file: string) => (await readFile(file, 'utf8')).replace(/\r?\n$/, '');

function claimOf(text: string): [name: string, value: unknown] {
  const at = text.indexOf('=');
  const [name, value] = [text.slice(0, at), text.slice(at + 1)];
  try {
    return [name, readJson(value)];
  } catch {
    return [name, value];
  }
}

const marks = { true: 'ok', false: 'FAILED', null: '-' };

const asLine = ({ check, passed, sentence }: JwtCheck) =>
  `${marks[`${passed}`].padEnd(7)}${check.padEnd(12)}${sentence}`;
