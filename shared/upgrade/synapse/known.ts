/** Facts about stops from Synapse's source and release notes. */
import type { KnownFact } from '../../api/upgrade-plan.ts';
import type { Say } from '../../sentence.ts';
import type { InstallMethod } from '../choices.ts';
import { pythonOf } from '../install-methods.ts';
import { rollbackReach } from '../rollback.ts';
import { compareVersions, formatVersion, type Version } from '../version.ts';
import { type FaultRow, faultRows } from './faults.ts';
import { newestPatchOf, wasPublished } from './patches.ts';
import { type SecurityRow, securityRows } from './security.ts';
import { newestRead, schemaRows, sourceDate } from './source.ts';

export const fromSource = (say: Say) => say(/*i18n*/ "From Synapse's source, {date}", { date: sourceDate });

/** Selects the release to install at a stop: its newest patch with the same rollback, unless it is the target. */
export function releaseToInstall(stop: Version, isTarget: boolean): Version {
  return isTarget ? stop : (newestPatchOf(stop)?.release ?? stop);
}

/**
 * Returns notes before a stop, the most urgent first.
 *
 * @param from the version before, as installed
 * @param isListed whether an earlier stop already lists a fault
 */
export function knownOf(
  from: Version,
  stop: Version,
  install: Version,
  isListed: (fault: FaultRow) => boolean,
  method: InstallMethod | undefined,
  say: Say,
): KnownFact[] {
  const concerns = (fault: FaultRow) =>
    has(install, fault) && !isListed(fault) && (method === undefined || (fault.only ?? method) === method);
  return [
    ...patchFacts(stop, install, say),
    ...faultRows.filter(concerns).map((fault) => faultFact(fault, say)),
    ...schemaFacts(install, method, say),
    ...securityRows
      .filter((row) => !isFixedIn(from, row) && isFixedIn(install, row))
      .map((row) => securityFact(row, say)),
  ];
}

export const has = (version: Version, { first, fixed }: FaultRow) =>
  compareVersions(first, version) <= 0 && compareVersions(version, fixed) < 0;

/** The security releases whose fixes a version lacks, oldest first. */
export const lackedBy = (version: Version) => securityRows.filter((row) => !isFixedIn(version, row));

const isFixedIn = (version: Version, { release, alsoIn }: SecurityRow) =>
  compareVersions(version, release) >= 0 ||
  (alsoIn !== undefined && alsoIn.minor === version.minor && compareVersions(version, alsoIn) >= 0);

function patchFacts(stop: Version, install: Version, say: Say): KnownFact[] {
  const newest = newestPatchOf(stop);
  if (!newest) return [];
  const { release, source } = newest;
  const names = { stop: formatVersion(stop), patch: formatVersion(release) };
  const fact = (text: string): KnownFact[] => [
    { kind: 'patch', release: names.patch, text, check: null, source },
  ];
  if (!wasPublished(names.stop)) {
    return fact(
      say(/*i18n*/ 'v{stop} was never published. Install v{patch}, with the same rollback.', names),
    );
  }
  if (compareVersions(stop, install) === 0) {
    return fact(
      say(
        /*i18n*/ 'v{patch} is the newest patch of v{stop}, with the same rollback. Make it the target.',
        names,
      ),
    );
  }
  const why = faultRows
    .filter((fault) => has(stop, fault) && !has(install, fault))
    .map(({ text }) => say(text))
    .join(' ');
  return fact(
    why
      ? say(
          /*i18n*/ 'Install v{patch}, the newest patch of v{stop}, with the same rollback. It fixes: {why}',
          { ...names, why },
        )
      : say(/*i18n*/ 'Install v{patch}, the newest patch of v{stop}, with the same rollback.', names),
  );
}

function faultFact({ fixed, text, source }: FaultRow, say: Say): KnownFact {
  return {
    kind: 'fault',
    release: formatVersion(fixed),
    text: say(/*i18n*/ 'Known fault, fixed in v{release}: {text}', {
      release: formatVersion(fixed),
      text: say(text),
    }),
    check: null,
    source,
  };
}

function securityFact({ release, advisories, text, date, source }: SecurityRow, say: Say): KnownFact {
  return {
    kind: 'security',
    release: formatVersion(release),
    text: say(/*i18n*/ 'Security fix of v{release} ({date}): {text} {advisories}', {
      release: formatVersion(release),
      date,
      text: say(text),
      advisories,
    }),
    check: null,
    source,
  };
}

/** The earliest rollback for a version beyond the rollback table. */
function schemaFacts(version: Version, method: InstallMethod | undefined, say: Say): KnownFact[] {
  if (rollbackReach(version).earliest) return [];
  const isRead = compareVersions(version, newestRead) <= 0;
  const row = schemaRows.findLast(({ since }) => compareVersions(since, version) <= 0);
  if (!row) return [];
  const values = {
    version: formatVersion(isRead ? version : newestRead),
    schema: row.schema,
    compatible: row.compatible,
    earliest: formatVersion(row.earliest),
  };
  return [
    {
      kind: 'rollback',
      release: formatVersion(row.since),
      text: isRead
        ? say(
            /*i18n*/ 'v{version} has database schema {schema} and is compatible with schema {compatible}: it can roll back to v{earliest} and later.',
            values,
          )
        : `${say(
            /*i18n*/ 'v{version} has database schema {schema} and is compatible with schema {compatible}: it can roll back to v{earliest} and later.',
            values,
          )} ${say(
            /*i18n*/ "v{version}'s source wasn't read. Once installed and before starting it, check that this prints {compatible} or less: then the same applies.",
            { version: formatVersion(version), compatible: row.compatible },
          )}`,
      check: isRead
        ? null
        : `${pythonOf(method, version)} -c "from synapse.storage.schema import SCHEMA_COMPAT_VERSION; print(SCHEMA_COMPAT_VERSION)"`,
      source: row.source,
    },
  ];
}

/** Returns the earliest version for a rollback by the source; undefined if it's in the table or unknown. */
export function reachFromSource(version: Version): Version | undefined {
  if (rollbackReach(version).earliest || compareVersions(version, newestRead) > 0) return undefined;
  return schemaRows.findLast(({ since }) => compareVersions(since, version) <= 0)?.earliest;
}
