/** The `jwt` commands: create tokens, and validate them like the server's login. */
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../../shared/api/common.ts';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { readJson } from '../../../shared/read-json.ts';
import type { JwtAlgorithm, JwtCheck, JwtSettings } from '../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../shared/workbench/paths.ts';
import { explainLogin } from '../../administration/workbench/explain-login.ts';
import { createAppServices } from '../../identity/accounts/app-services.ts';
import { createJwtVerifier } from '../../identity/login/jwt.ts';
import { mintToken } from '../../identity/login/jwt-token.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import type { JwtConfig } from '../../platform/config/jwt.ts';
import { type ConfigSource, loadConfig } from '../../platform/config/load.ts';
import { readFileOrPipe } from '../../platform/config/named-file.ts';
import { systemClock } from '../../platform/core/clock.ts';
import { send } from './send.ts';

const usageError = 2;

export type MintOptions = {
  sub: string;
  /** Additional claims, as `name=value`; the value is parsed as JSON if possible. */
  claim: readonly string[];
  /** Lifetime in seconds. */
  exp: number | 'never';
  algorithm: JwtAlgorithm | undefined;
  /** File with a shared secret or a PEM private key; the configured secret if undefined. */
  key: string | undefined;
  /** URL of a running server to create the token with. */
  server: string | undefined;
  /** File with an admin's access token for it. */
  tokenFile: string | undefined;
};

/** Prints a token that a server with this configuration accepts. */
export async function mintOnCommand(source: ConfigSource, options: MintOptions): Promise<void> {
  if (options.server !== undefined) return mintOnServer(options.server, options);
  const { jwt } = await loadConfig(source);
  const algorithm = options.algorithm ?? jwt?.algorithm;
  if (!algorithm) {
    return refuse(
      'no algorithm; pass a configuration with jwt_config in --config, or --algorithm and --key, ' +
        'or for a temporary server its URL in --server',
    );
  }
  const key = options.key === undefined ? configuredSecret(jwt, algorithm) : await readKey(options.key);
  if (key === undefined) {
    return refuse(
      jwt
        ? jwt.algorithm.startsWith('HS')
          ? `the configured shared secret can't sign with ${algorithm}; pass a private key with --key`
          : "the configured public key can't sign tokens; pass the private key with --key"
        : 'no key; pass a configuration with jwt_config.secret in --config, or pass --key',
    );
  }
  const claims = claimsOf(options, jwt, Math.floor(systemClock.now() / 1000));
  process.stdout.write(`${await mintToken({ claims, algorithm, key })}\n`);
}

/** @param now in seconds since the Unix epoch */
const claimsOf = (
  { sub, exp, claim }: MintOptions,
  settings: Partial<Pick<JwtConfig, 'subjectClaim' | 'issuer' | 'audiences'>> | undefined,
  now: number,
): JsonObject => ({
  [settings?.subjectClaim ?? 'sub']: sub,
  iat: now,
  ...(exp !== 'never' && { exp: now + exp }),
  ...(settings?.issuer !== undefined && { iss: settings.issuer }),
  ...(settings?.audiences && { aud: settings.audiences[0] }),
  ...Object.fromEntries(claim.map(parseClaim)),
});

/** Prints a token that a running server on this computer has created, such as a temporary one. */
async function mintOnServer(server: string, options: MintOptions): Promise<void> {
  const { tokenFile, algorithm } = options;
  if (tokenFile === undefined)
    return refuse("--token-file: missing; set a file with an admin's access token");
  const accessToken = (await readFileOrPipe(tokenFile)).toString().trim();
  const key = options.key === undefined ? undefined : await readKey(options.key);
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const url = `${server.replace(/\/+$/, '')}${path}`;
    const reply = await send({ method, url, accessToken, ...(body !== undefined && { body }) }).catch(
      (error) => {
        if (!(error instanceof ConnectionFailure)) throw error;
        throw new ConfigurationError(
          '--server',
          error.message.replace(/\.$/, ''),
          'start it, or pass --config',
        );
      },
    );
    if (reply.status === 200) return reply.body as JsonObject;
    const { error = `status ${reply.status}` } = (reply.body ?? {}) as { error?: string };
    throw new ConfigurationError(
      '--server',
      error.replaceAll(accessToken, '…').replace(/\.$/, ''),
      'correct it',
    );
  };
  const settings = (await ask('GET', workbenchPaths.jwtSettings)) as JwtSettings;
  // Only temporary servers have another time than this computer.
  const { now_ts: now = systemClock.now() } = await ask('GET', workbenchPaths.clock).catch(
    (): { now_ts?: number } => ({}),
  );
  const { subject_claim: subjectClaim, issuer, audiences } = settings;
  const known = {
    ...(subjectClaim !== undefined && { subjectClaim }),
    ...{ issuer, audiences },
  };
  const claims = claimsOf(options, known, Math.floor(Number(now) / 1000));
  const { token } = await ask('POST', workbenchPaths.jwtMint, {
    claims,
    ...(algorithm && { algorithm }),
    ...(key !== undefined && { key }),
  });
  process.stdout.write(`${token}\n`);
}

/**
 * Prints each check of a token as a line, and the result. Exit code 0 for a valid token, 1 for a rejected one, 2 if JWT
 * login is off. Doesn't check the user, whose state only a running server knows.
 */
export async function verifyOnCommand(
  source: ConfigSource,
  token: string,
  { json = false }: { json?: boolean } = {},
): Promise<void> {
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
  const [dialect = 'vendor'] = config.apiDialects;
  const explanation = await explainLogin(context, dialects[dialect], token);
  const { checks, accepted, refusal, hint } = explanation;
  process.exitCode = accepted ? 0 : 1;
  if (json) {
    process.stdout.write(`${JSON.stringify(explanation)}\n`);
    return;
  }
  const lines = checks.map(asLine);
  lines.push(accepted ? 'Valid: the server accepts this token' : `Rejected: ${refusal}`);
  if (hint !== undefined) lines.push(hint);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function refuse(sentence: string): void {
  process.stderr.write(`gatehouse: ${sentence}\n`);
  process.exitCode = usageError;
}

const configuredSecret = (jwt: JwtConfig | undefined, algorithm: JwtAlgorithm) =>
  jwt?.algorithm.startsWith('HS') && algorithm.startsWith('HS') ? jwt.secret : undefined;

/** Editors add a line break to the end of a file. */
const readKey = async (file: string) => (await readFile(file, 'utf8')).replace(/\r?\n$/, '');

function parseClaim(text: string): [name: string, value: unknown] {
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
