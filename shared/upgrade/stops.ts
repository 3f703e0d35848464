/** Intermediate versions of an upgrade, with the reasons. Interface: "Upgrade rules" 1. */
import { listed, type Say } from '../sentence.ts';
import type { Way } from './choices.ts';
import { type RollbackRange, rollbackReach, rollbackTable } from './rollback.ts';
import { compareVersions, formatVersion, isBetween, type Version } from './version.ts';

/** Returns the versions to stop at, oldest first; the last one is the target. */
export function stopsBetween(from: Version, to: Version, way: Way = 'every'): Version[] {
  if (way === 'direct') return [to];
  return way === 'fewest' ? fewestStops(from, to) : everyStop(from, to);
}

/** The newest range with a known rollback. */
const lastRange = rollbackTable.at(-1);

/**
 * Returns the releases at which the compatible version changes, the last one with a known rollback, and the target. Adds
 * the earliest compatible release before each of them that couldn't be rolled back to the previous stop.
 */
function everyStop(from: Version, to: Version): Version[] {
  const inBetween = [
    ...rollbackTable.map(({ first }) => first),
    ...(lastRange ? [lastRange.last] : []),
  ].filter((version) => compareVersions(from, version) < 0 && compareVersions(version, to) < 0);
  return [...inBetween, to].flatMap((version, index, stops) => [
    ...keepingWayBack(stops[index - 1] ?? from, version),
    version,
  ]);
}

/** Returns further stops between two, so that each can be rolled back to the one before. */
function keepingWayBack(previous: Version, version: Version): Version[] {
  const { earliest } = rollbackReach(version);
  if (!earliest || !isBetween(previous, earliest, version) || compareVersions(earliest, version) === 0) {
    return [];
  }
  return [...keepingWayBack(previous, earliest), earliest];
}

/**
 * Goes as far as a rollback allows each time: the last release of a range reaches back as far as its first. If no later
 * release can be rolled back, goes to the end of the next range, without a stop before.
 */
function fewestStops(from: Version, to: Version): Version[] {
  if (compareVersions(from, to) >= 0) return [];
  const ahead = [
    ...rollbackTable
      .map(({ last }) => last)
      .filter((last) => compareVersions(from, last) < 0 && compareVersions(last, to) < 0),
    to,
  ];
  const reached = ahead.findLastIndex((version) => canGoBack(version, from));
  const next = ahead[reached] ?? to;
  const isNeeded =
    next === to ||
    next === lastRange?.last ||
    ahead.slice(reached + 1).some((version) => canGoBack(version, next));
  const stop = reached !== -1 && isNeeded ? next : (ahead[reached + 1] ?? to);
  return [stop, ...fewestStops(stop, to)];
}

function canGoBack(version: Version, to: Version): boolean {
  const { earliest } = rollbackReach(version);
  return earliest !== undefined && compareVersions(earliest, to) <= 0;
}

/** Returns the reason as a sentence without a full stop. */
export function reasonToStop(version: Version, to: Version, way: Way, say: Say): string {
  const isSame = (other: Version) => compareVersions(version, other) === 0;
  const starting = rollbackTable.find(({ first }) => isSame(first));
  const ending = rollbackTable.find(({ last }) => isSame(last));
  const kept = rollbackTable.filter(({ earliest }) => isSame(earliest));
  if (way === 'direct') return say(/*i18n*/ 'Direct to target');
  if (starting && way === 'every') {
    const values = { range: rangeOf(starting), earliest: formatVersion(starting.earliest) };
    return isSame(to)
      ? say(/*i18n*/ 'Target and first version of {range} (rollback to v{earliest})', values)
      : say(/*i18n*/ 'First version of {range} (rollback to v{earliest})', values);
  }
  if (isSame(to)) return say(/*i18n*/ 'Target');
  if (ending && lastRange && isSame(lastRange.last)) {
    return say(/*i18n*/ 'Last version with a known rollback (to v{earliest})', {
      earliest: formatVersion(ending.earliest),
    });
  }
  if (ending && way === 'fewest') {
    return say(/*i18n*/ 'Last version of {range} (rollback to v{earliest})', {
      range: rangeOf(ending),
      earliest: formatVersion(ending.earliest),
    });
  }
  return say(/*i18n*/ 'Needed for rollback from {ranges}', {
    ranges: listed(kept.map(rangeOf), say),
  });
}

const rangeOf = ({ first, last }: RollbackRange) => `v${formatVersion(first)} – v${formatVersion(last)}`;
