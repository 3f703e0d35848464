/** The configuration as the server uses it: complete, checked, with every path absolute. */
import { appServices } from './app-services.ts';
import { caches } from './caches.ts';
import { database } from './database.ts';
import { dialects } from './dialects.ts';
import { externalAuthentication } from './external-authentication.ts';
import { identity } from './identity.ts';
import { jwt } from './jwt.ts';
import { listeners } from './listeners.ts';
import { log } from './log.ts';
import { loginViaExistingSession } from './login-via-existing-session.ts';
import { media } from './media.ts';
import { outgoing } from './outgoing.ts';
import { presence } from './presence.ts';
import { profiles } from './profiles.ts';
import { rateLimits } from './rate-limits.ts';
import { registration } from './registration.ts';
import { roomDirectory } from './room-directory.ts';
import type { PartOf } from './section.ts';
import { sessions } from './sessions.ts';
import { turn } from './turn.ts';
import { urlPreviews } from './url-previews.ts';
import { userDirectory } from './user-directory.ts';
import { wellKnown } from './well-known.ts';
import { withoutEffect } from './without-effect.ts';
import { workbench } from './workbench.ts';

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
