/** Earliest versions for a rollback. Interface: "Rollback compatibility". */
import { english, type Say } from '../sentence.ts';
import { compareVersions, formatVersion, parseVersion, type Version } from './version.ts';

export type RollbackRange = {
  /** The first version of the range. */
  first: Version;
  /** The last one. */
  last: Version;
  /** The earliest version that any of them can be rolled back to. */
  earliest: Version;
};

const range = (first: string, last: string, earliest: string): RollbackRange => ({
  first: parseVersion(first),
  last: parseVersion(last),
  earliest: parseVersion(earliest),
});

/** The table, oldest first. */
export const rollbackTable: readonly RollbackRange[] = [
  range('1.0.0', '1.2.1', '1.0.0'),
  range('1.3.0', '1.8.0', '1.3.0'),
  range('1.9.0', '1.12.4', '1.9.0'),
  range('1.13.0', '1.25.0', '1.13.0'),
  range('1.26.0', '1.44.0', '1.26.0'),
  range('1.45.0', '1.47.1', '1.38.0'),
  range('1.48.0', '1.51.0', '1.39.0'),
  range('1.52.0', '1.57.1', '1.49.0'),
  range('1.58.0', '1.61.1', '1.57.0'),
  range('1.62.0', '1.63.1', '1.61.0'),
  range('1.64.0', '1.69.0', '1.62.0'),
  range('1.70.0', '1.82.0', '1.68.0'),
  range('1.83.0', '1.84.1', '1.77.0'),
  range('1.85.0', '1.91.2', '1.83.0'),
  range('1.92.0', '1.97.0', '1.90.0'),
  range('1.98.0', '1.105.0', '1.96.0'),
  range('1.105.1', '1.149.1', '1.100.0'),
];

/** The earliest version for a rollback, or why it's unknown. */
type RollbackReach = { earliest: Version; range: RollbackRange } | { earliest: undefined; why: string };

/** Looks up a version in the table. Versions between or outside of its ranges are unknown. */
export function rollbackReach(version: Version, say: Say = english): RollbackReach {
  const found = rollbackTable.find(
    ({ first, last }) => compareVersions(first, version) <= 0 && compareVersions(version, last) <= 0,
  );
  return found
    ? { earliest: found.earliest, range: found }
    : { earliest: undefined, why: whyUnknown(version, say) };
}

function whyUnknown(version: Version, say: Say): string {
  const below = rollbackTable.findLast(({ last }) => compareVersions(last, version) < 0);
  const above = rollbackTable.find(({ first }) => compareVersions(version, first) < 0);
  const name = `v${formatVersion(version)}`;
  if (!below) {
    return say(/*i18n*/ 'The rollback table starts at v1.0.0. Rollback from {name} is unknown.', {
      name,
    });
  }
  if (!above) {
    return say(
      /*i18n*/ 'The rollback table ends at v{last} (rollback to v{earliest}). Rollback from {name} is unknown.',
      { name, last: formatVersion(below.last), earliest: formatVersion(below.earliest) },
    );
  }
  return say(
    /*i18n*/ 'The rollback table has no entry for {name}, between {below} and {above}. Its rollback is unknown.',
    { name, below: describeRange(below, say), above: describeRange(above, say) },
  );
}

const describeRange = ({ first, last, earliest }: RollbackRange, say: Say) =>
  say(/*i18n*/ 'v{first} – v{last} (rollback to v{earliest})', {
    first: formatVersion(first),
    last: formatVersion(last),
    earliest: formatVersion(earliest),
  });

type RollbackVerdict = {
  /** Null if unknown. */
  safe: boolean | null;
  /** The earliest version for a safe rollback; undefined if unknown. */
  lowestSafe: Version | undefined;
  /** The reason, in sentences. */
  reason: string;
};

/**
 * Returns whether `from` can be rolled back to the older `to`.
 */
export function judgeRollback(from: Version, to: Version, say: Say = english): RollbackVerdict {
  const reach = rollbackReach(from, say);
  const [newer, older] = [`v${formatVersion(from)}`, `v${formatVersion(to)}`];
  if (!reach.earliest) {
    const reason = `${reach.why} ${say(/*i18n*/ 'Rely on the backup.')}`;
    return { safe: null, lowestSafe: undefined, reason };
  }
  const lowest = `v${formatVersion(reach.earliest)}`;
  if (compareVersions(to, reach.earliest) >= 0) {
    return {
      safe: true,
      lowestSafe: reach.earliest,
      reason:
        lowest === older
          ? say(/*i18n*/ 'Safe: {newer} can roll back to {older}.', { newer, older })
          : say(/*i18n*/ 'Safe: {newer} can roll back to {lowest} and later, including {older}.', {
              newer,
              lowest,
              older,
            }),
    };
  }
  const isItself = compareVersions(from, reach.earliest) === 0;
  return {
    safe: false,
    lowestSafe: reach.earliest,
    reason: isItself
      ? say(/*i18n*/ "Not safe: {newer} can't roll back. Restore the backup for {older}.", { newer, older })
      : say(/*i18n*/ 'Not safe: {newer} can roll back only to {lowest}. Restore the backup for {older}.', {
          newer,
          lowest,
          older,
        }),
  };
}
