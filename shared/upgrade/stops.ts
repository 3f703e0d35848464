/** Where to stop on the way to a version, and why there. Interface: "Upgrade rules" 1. */
import { listed, type Say } from '../sentence.ts';
import { type RollbackRange, rollbackReach, rollbackTable } from './rollback.ts';
import { compareVersions, formatVersion, isBetween, type Version } from './version.ts';

/**
 * The releases at which the compatible version changes, between the two, and the target (rule 1); before each
 * of them that can't go back to the stop before it, the release that it can go back to.
 */
export function stopsBetween(from: Version, to: Version): Version[] {
  const changing = rollbackTable
    .map(({ first }) => first)
    .filter((first) => compareVersions(from, first) < 0 && compareVersions(first, to) < 0);
  return [...changing, to].flatMap((version, index, stops) => [
    ...keepingWayBack(stops[index - 1] ?? from, version),
    version,
  ]);
}

/** The releases to stop at on the way from one stop to the next, so that each can go back to the one before. */
function keepingWayBack(previous: Version, version: Version): Version[] {
  const { earliest } = rollbackReach(version);
  if (!earliest || !isBetween(previous, earliest, version) || compareVersions(earliest, version) === 0) {
    return [];
  }
  return [...keepingWayBack(previous, earliest), earliest];
}

/** In a sentence without a full stop. */
export function reasonToStop(version: Version, to: Version, say: Say): string {
  const isSame = (other: Version) => compareVersions(version, other) === 0;
  const starting = rollbackTable.find(({ first }) => isSame(first));
  const kept = rollbackTable.filter(({ earliest }) => isSame(earliest));
  if (starting) {
    const values = { range: rangeOf(starting), earliest: formatVersion(starting.earliest) };
    return isSame(to)
      ? say(/*i18n*/ 'Target and first version of {range} (rollback to v{earliest})', values)
      : say(/*i18n*/ 'First version of {range} (rollback to v{earliest})', values);
  }
  if (isSame(to)) return say(/*i18n*/ 'Target');
  return say(/*i18n*/ 'Needed for rollback from {ranges}', {
    ranges: listed(kept.map(rangeOf), say),
  });
}

const rangeOf = ({ first, last }: RollbackRange) => `v${formatVersion(first)} – v${formatVersion(last)}`;
