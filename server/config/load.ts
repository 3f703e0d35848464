/** From `homeserver.yaml` and the command line to the configuration that the server runs with. */
import { resolve } from 'node:path';
import { appServices } from './app-services.ts';
import { cacheConfig } from './caches.ts';
import type { Config } from './config.ts';
import { databaseConfig } from './database.ts';
import { milliseconds } from './duration.ts';
import { externalAuthentication } from './external-authentication.ts';
import { jwtConfig } from './jwt.ts';
import { rateLimits } from './rate-limits.ts';
import { roomDirectoryConfig } from './room-directory.ts';
import type { Settings } from './settings.ts';

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
  const { settings, warnings } = await settingsOf(source);
  const dataDir = resolve(source.dataDir);
  const listener = settings.listeners?.find(({ type }) => type !== 'metrics');
  const metrics = settings.listeners?.find(({ type }) => type === 'metrics');
  return {
    serverName: settings.server_name ?? 'localhost',
    dataDir,
    host: listener?.bind_addresses?.[0] ?? '127.0.0.1',
    port: source.port ?? listener?.port ?? defaultPort,
    trustProxy: listener?.x_forwarded ?? false,
    metrics: metrics && { host: metrics.bind_addresses?.[0] ?? '127.0.0.1', port: metrics.port },
    database: databaseConfig(settings, dataDir),
    signingKeyPath: resolve(dataDir, settings.signing_key_path ?? 'signing.key'),
    mediaStorePath: resolve(dataDir, settings.media_store_path ?? 'media'),
    maxUploadSize: sizeInBytes(settings.max_upload_size ?? '50M'),
    maxImagePixels: sizeInBytes(settings.max_image_pixels ?? '32M'),
    enableAuthenticatedMedia: settings.enable_authenticated_media ?? true,
    apiDialects: settings.api_dialects ?? ['vendor', 'matrix'],
    registration: {
      enabled: settings.enable_registration ?? false,
      requiresToken: settings.registration_requires_token ?? false,
      sharedSecret: settings.registration_shared_secret,
    },
    jwt: jwtConfig(settings),
    appServices: await appServices(settings, dataDir),
    useAppServiceLegacyAuthorization: settings.use_appservice_legacy_authorization ?? false,
    externalAuthentication: externalAuthentication(settings),
    loginViaExistingSession: loginViaExistingSession(settings),
    rateLimits: rateLimits(settings),
    caches: cacheConfig(settings),
    roomDirectory: roomDirectoryConfig(settings),
    profiles: {
      mayChangeDisplayName: settings.enable_set_displayname ?? true,
      mayChangeAvatarUrl: settings.enable_set_avatar_url ?? true,
    },
    console: source.console ?? true,
    warnings,
  };
}

async function settingsOf({ file }: ConfigSource): Promise<{ settings: Settings; warnings: string[] }> {
  if (file === undefined) return { settings: {}, warnings: [] };
  // Loaded where there is a file to read: it brings a parser and all that releases have changed.
  const { readSettings } = await import('./read-settings.ts');
  return readSettings(file);
}

/** A size as it is written, such as `50M`, in bytes. */
function sizeInBytes(size: number | string): number {
  if (typeof size === 'number') return size;
  const units = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 };
  const unit = units[size.at(-1) as keyof typeof units] ?? 1;
  return Number.parseInt(size, 10) * unit;
}

/** How long a token to log in elsewhere is good where nothing else is written, in milliseconds. */
const loginTokenLifetime = 120_000;

function loginViaExistingSession({
  login_via_existing_session: settings,
}: Settings): Config['loginViaExistingSession'] {
  if (!settings?.enabled) return undefined;
  return {
    requireUiAuth: settings.require_ui_auth ?? true,
    tokenTimeoutMs: milliseconds(settings.token_timeout ?? loginTokenLifetime),
  };
}
