/** Patch releases, from the tags and release notes of Synapse, v1.32.0 to `newestRead`. */
import { rollbackTable } from '../rollback.ts';
import { compareVersions, parseVersion, type Version } from '../version.ts';
import { releaseNotes } from './source.ts';

/** The last patch release of each minor version that has one; 1.120.2 for 1.120. */
const newestPatches: readonly Version[] = [
  '1.32.2',
  '1.33.2',
  '1.35.1',
  '1.37.1',
  '1.38.1',
  '1.41.1',
  '1.45.1',
  '1.47.1',
  '1.49.2',
  '1.50.2',
  '1.55.2',
  '1.57.1',
  '1.58.1',
  '1.59.1',
  '1.61.1',
  '1.63.1',
  '1.70.1',
  '1.84.1',
  '1.85.2',
  '1.91.2',
  '1.92.3',
  '1.95.1',
  '1.96.1',
  '1.105.1',
  '1.111.1',
  '1.120.2',
  '1.121.1',
  '1.127.1',
  '1.135.2',
  '1.138.4',
  '1.139.2',
  '1.142.1',
  '1.147.1',
  '1.149.1',
  '1.152.1',
  '1.157.2',
].map(parseVersion);

/** Releases that were tagged and never published: no package, image or wheel has them. */
const unpublished: ReadonlySet<string> = new Set(['1.49.1', '1.92.0', '1.96.0', '1.135.1']);

export const wasPublished = (release: string) => !unpublished.has(release);

/**
 * Returns the newest patch release of a minor version, with a source; undefined if that's the version itself, or in another
 * range of the rollback table.
 */
export function newestPatchOf(version: Version): { release: Version; source: string } | undefined {
  const release = newestPatches.find(
    ({ major, minor }) => major === version.major && minor === version.minor,
  );
  if (!release || compareVersions(release, version) <= 0 || rangeOf(release) !== rangeOf(version)) {
    return undefined;
  }
  return { release, source: releaseNotes(`${release.major}.${release.minor}.${release.patch}`) };
}

const rangeOf = (version: Version) =>
  rollbackTable.findIndex(
    ({ first, last }) => compareVersions(first, version) <= 0 && compareVersions(version, last) <= 0,
  );
