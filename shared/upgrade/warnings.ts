/** What a plan can't know, and what speaks against following it now. */
import { changes, newestRelease, oldestRelease } from './changes/changes.ts';
import { judgeRollback, rollbackReach } from './rollback.ts';
import { compareVersions, formatVersion, releaseOf, type Version } from './version.ts';

/**
 * @param pendingUpdates names of background updates that the server has not finished; null where it was
 *   asked and doesn't say, undefined where nobody asked
 * @returns sentences, the most urgent first
 */
export function planWarnings(
  from: Version,
  to: Version,
  pendingUpdates: readonly string[] | null | undefined,
): string[] {
  const order = compareVersions(from, to);
  const ownWarnings = order < 0 ? ofUpgrade(from, to) : order > 0 ? ofDowngrade(from, to) : [];
  return [...ofPendingUpdates(pendingUpdates), ...ownWarnings, ...ofData(from, to)];
}

function ofPendingUpdates(names: readonly string[] | null | undefined): string[] {
  if (names === null) {
    return [
      "The server doesn't say whether background updates are pending. Look at its log before you begin.",
    ];
  }
  if (!names || names.length === 0) return [];
  const what = names.length === 1 ? 'a background update' : `${names.length} background updates`;
  // The names come from the server, and end up in terminals and documents.
  const list = names.map((name) => name.slice(0, 100).replace(/[^\w.:-]/g, '?')).join(', ');
  return [`The server still runs ${what} (${list}). Wait until none is left before you begin.`];
}

function ofUpgrade(from: Version, to: Version): string[] {
  const reach = rollbackReach(to);
  const warnings = reach.earliest ? [] : [reach.why];
  if (compareVersions(from, oldestRelease) < 0) {
    warnings.push(
      `The notes begin at v${formatVersion(oldestRelease)}: for releases before it, read the upgrade notes that came with them.`,
    );
  }
  if (to.candidate !== undefined && compareVersions(releaseOf(to), newestRelease) <= 0) {
    warnings.push(
      `v${formatVersion(to)} is a release candidate: the notes of v${formatVersion(releaseOf(to))} are counted in.`,
    );
  }
  return warnings;
}

function ofDowngrade(from: Version, to: Version): string[] {
  const { safe, reason } = judgeRollback(from, to);
  if (!safe) return [reason];
  const undone = changes.filter(
    ({ release }) => compareVersions(to, release) < 0 && compareVersions(release, releaseOf(from)) <= 0,
  );
  if (undone.length === 0) return [];
  const releases = [...new Set(undone.map(({ note }) => `v${note.release}`))];
  return [
    `What was changed for ${releases.join(', ')} may have to be changed back: the older version may not know it.`,
  ];
}

function ofData(from: Version, to: Version): string[] {
  const newest = formatVersion(newestRelease);
  const beyond = [from, to].filter((version) => compareVersions(version, newestRelease) > 0);
  const [first] = beyond;
  if (!first) return [];
  const names = [...new Set(beyond.map((version) => `v${formatVersion(version)}`))].join(' and ');
  return [
    `The data of this planner end at v${newest}, and ${names} is newer: the plan goes as far as the data. Read the upgrade notes of every release after v${newest} too.`,
  ];
}
