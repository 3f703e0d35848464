/** The server's configuration: all sections, and the schema of the file. */
import { type TProperties, Type } from 'typebox';
import { Value } from 'typebox/value';
import { appServices } from './app-services.ts';
import { caches } from './caches.ts';
import { database } from './database.ts';
import { roomDirectory, userDirectory } from './directory.ts';
import { externalAuthentication } from './external-authentication.ts';
import { dialects, identity, media, presence, profiles, wellKnown, workbench } from './features.ts';
import { jwt } from './jwt.ts';
import { listeners } from './listeners.ts';
import { log } from './log.ts';
import { loginViaExistingSession, registration, sessions } from './login.ts';
import { outgoing } from './outgoing.ts';
import { rateLimits } from './rate-limits.ts';
import type { PartOf } from './section.ts';
import { turn } from './turn.ts';
import { urlPreviews } from './url-previews.ts';
import { withoutEffect } from './without-effect.ts';

/** All settings, in the order of the table in `docs/configuration.md`. */
export const sections = [
  identity,
  listeners,
  log,
  database,
  registration,
  jwt,
  loginViaExistingSession,
  sessions,
  externalAuthentication,
  appServices,
  profiles,
  presence,
  outgoing,
  turn,
  wellKnown,
  roomDirectory,
  userDirectory,
  media,
  urlPreviews,
  rateLimits,
  caches,
  dialects,
  workbench,
  withoutEffect,
];

/** The sections' values and those of the command line. Paths are absolute. */
export type Config = All<PartOf<(typeof sections)[number]>> & {
  dataDir: string;
  /** Path of the file; undefined without one. */
  file: string | undefined;
  /** Whether the console is served at /console/. */
  console: boolean;
  /** Warnings for the administrator, logged at the start. */
  warnings: string[];
};

/** Turns a union into an intersection. */
type All<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer Whole) => void
  ? Whole
  : never;

/** The content of a file. */
export type Settings = Record<string, unknown>;

export const declared: TProperties = Object.assign({}, ...sections.map(({ settings }) => settings));

/** JSON Schema of the file. Unknown settings are allowed, as Synapse's files have some; they only cause warnings. */
export const SettingsSchema = Type.Object(declared, { additionalProperties: true });

/** Returns the settings with defaults. A name without a value (`caches:`) counts as missing. */
export const withDefaults = (written: Settings): Settings =>
  Value.Default(SettingsSchema, withoutNulls(written)) as Settings;

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, withoutNulls(part)]),
  );
}
