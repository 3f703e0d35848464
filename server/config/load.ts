/** From `homeserver.yaml` and the command line to the configuration that the server runs with. */
import { createPublicKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Value } from 'typebox/value';
import { parseDocument } from 'yaml';
import { jwtAlgorithms } from '../auth/jwt.ts';
import type { Config, JwtConfig } from './config.ts';
import { ConfigurationError } from './configuration-error.ts';
import { refuse } from './refusals.ts';
import { PartialSettings, type Settings } from './settings.ts';

/** What the command line says; it goes before the file. */
export type ConfigSource = {
  /** Path of `homeserver.yaml`; without it every setting has its default. */
  file?: string | undefined;
  dataDir: string;
  port?: number | undefined;
  console?: boolean | undefined;
};

const defaultPort = 8008;

/**
 * Reads and checks the configuration.
 *
 * @throws ConfigurationError that names the setting and the way out, and quotes no value
 */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  const settings = source.file === undefined ? {} : await readSettings(source.file);
  refuse(settings);
  const dataDir = resolve(source.dataDir);
  const listener = settings.listeners?.[0];
  return {
    serverName: settings.server_name ?? 'localhost',
    dataDir,
    host: listener?.bind_addresses?.[0] ?? '127.0.0.1',
    port: source.port ?? listener?.port ?? defaultPort,
    database: database(settings, dataDir),
    signingKeyPath: resolve(dataDir, settings.signing_key_path ?? 'signing.key'),
    mediaStorePath: resolve(dataDir, settings.media_store_path ?? 'media'),
    maxUploadSize: sizeInBytes(settings.max_upload_size ?? '50M'),
    apiDialects: settings.api_dialects ?? ['vendor', 'matrix'],
    registration: {
      enabled: settings.enable_registration ?? false,
      sharedSecret: settings.registration_shared_secret,
    },
    jwt: jwt(settings),
    console: source.console ?? true,
  };
}

async function readSettings(file: string): Promise<Settings> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(
      file,
      `it can't be read (${error.code})`,
      'check the path given with --config',
    );
  });
  // A pretty error would quote the line, and the line may hold a secret.
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const line = text.slice(0, fault.pos[0]).split('\n').length;
    throw new ConfigurationError(
      `${file}, line ${line}`,
      `it is not YAML (${fault.code})`,
      'correct that line',
    );
  }
  const settings: unknown = document.toJS() ?? {};
  if (Value.Check(PartialSettings, settings)) return settings;
  const [problem] = Value.Errors(PartialSettings, settings);
  const path = problem?.instancePath.slice(1).replaceAll('/', '.') || file;
  throw new ConfigurationError(
    path,
    `it ${problem?.message ?? 'is not valid'}`,
    'see the README for what it takes',
  );
}

function database(settings: Settings, dataDir: string): Config['database'] {
  const { name = 'sqlite3', args } = settings.database ?? {};
  if (name !== 'sqlite3') {
    throw new ConfigurationError(
      'database.name',
      `'${name}' is not a database that this server has`,
      "write 'sqlite3'",
    );
  }
  const file = args?.database ?? 'homeserver.db';
  return { name, file: file === ':memory:' ? file : resolve(dataDir, file) };
}

/** A size as it is written, such as `50M`, in bytes. */
function sizeInBytes(size: number | string): number {
  if (typeof size === 'number') return size;
  const units = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
  const unit = units[size.at(-1) as keyof typeof units] ?? 1;
  return Number.parseInt(size, 10) * unit;
}

/** Interface: "Authentication" 2. */
function jwt({ jwt_config: settings }: Settings): JwtConfig | undefined {
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
