/**
 * Which build was the newest that served a database. Builds may serve one at the same time: the older one leaves what
 * the newer has brought (migrations, background updates, kinds of tasks) to it.
 */
import { readJson } from '../../shared/read-json.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { programVersion } from '../core/program-version.ts';
import { isLater } from '../core/version.ts';
import { newestMigration } from './migrations.ts';
import type { Database } from './schema.ts';
import { readFact, writeFact } from './server-facts.ts';

/** A build, by its version and the last migration that it knows. */
type Build = { version: string; migration: string };

const thisBuild: Build = { version: programVersion, migration: newestMigration };

/** Takes note that this build serves a database which it has migrated. */
export async function noteBuild(db: Database): Promise<void> {
  const known = await newestBuild(db);
  if (!known || isNewer(thisBuild, known)) await writeFact(db, 'newest_build', JSON.stringify(thisBuild));
}

/** Whether a newer build than this one serves a database, or has served it. */
export async function isOvertaken(db: Database): Promise<boolean> {
  const known = await newestBuild(db);
  return known !== undefined && isNewer(known, thisBuild);
}

/** Says that a database was migrated by a newer build, and by which. */
export async function newerBuildRefusal(db: Database): Promise<ConfigurationError> {
  const known = await newestBuild(db).catch(() => undefined);
  const newer = known && isNewer(known, thisBuild) ? known : undefined;
  return new ConfigurationError(
    'database',
    `a newer version has changed its tables, which this one, ${programVersion}, can't serve any more`,
    newer
      ? `run version ${newer.version} or a later one (its tables are as of ${newer.migration})`
      : 'run the version that did, or a later one',
  );
}

async function newestBuild(db: Database): Promise<Build | undefined> {
  const text = await readFact(db, 'newest_build');
  return text === undefined ? undefined : readJson(text);
}

const isNewer = (one: Build, other: Build) =>
  isLater(one.version, other.version) || one.migration > other.migration;
