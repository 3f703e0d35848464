/** The configuration as the server uses it: complete, checked, with every path absolute. */

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

/** What the sections give, and what only the command line says. */
export type Config = All<PartOf<(typeof sections)[number]>> & {
  dataDir: string;
  /** Where it was read, absolute; undefined where there is no file. */
  file: string | undefined;
  /** Whether the console is served at /console/. */
  console: boolean;
  /** What the administrator should know of the settings; each is said once, at the start. */
  warnings: string[];
};

/** Of a union of parts, what has them all. */
type All<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer Whole) => void
  ? Whole
  : never;

/** `homeserver.yaml` as a whole: what of it the sections declare. */

/** What a file holds, by the names that are written in it. */
export type Settings = Record<string, unknown>;

/** Every setting that is declared. */
export const declared: TProperties = Object.assign({}, ...sections.map(({ settings }) => settings));

/** The file, as JSON Schema. It may hold more: settings of other servers of this kind are only warned of. */
export const SettingsSchema = Type.Object(declared, { additionalProperties: true });

/**
 * What is written, completed with the defaults. A name with nothing under it (`caches:`) is as good as not
 * written.
 */
export const withDefaults = (written: Settings): Settings =>
  Value.Default(SettingsSchema, withoutNothing(written)) as Settings;

function withoutNothing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, withoutNothing(part)]),
  );
}
