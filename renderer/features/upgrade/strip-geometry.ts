/** Where the versions of a plan stand on its strip, and how far back from each stop one can go. */
import type { Stop, UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { compareVersions, parseVersion, type Version } from '../../../shared/upgrade/version.ts';

type Reach = 'safe' | 'short' | 'none' | 'unknown';

export type StripStop = {
  stop: Stop;
  /** From 0, the version that the plan begins with, to 1, the one it ends with. */
  at: number;
  /** Where the earliest version lies that one can go back to; undefined where that is nowhere or unknown. */
  backTo: number | undefined;
  /** Whether that version lies before the strip begins, so that `backTo` is its edge. */
  beyond: boolean;
  reach: Reach;
};

/**
 * Versions of the plan are spaced evenly: what counts is their order and what lies between them. A version
 * between two of them stands where its number lies between theirs.
 */
export function stripStops({ from, stops }: UpgradePlan): StripStop[] {
  const points = [from, ...stops.map(({ version }) => version)].map(parseVersion);
  const place = (version: Version) => placeOf(version, points);
  return stops.map((stop, index) => {
    const earliest = stop.rollback_to === null ? undefined : parseVersion(stop.rollback_to);
    const goesBack = earliest && compareVersions(earliest, parseVersion(stop.version)) < 0;
    return {
      stop,
      at: (index + 1) / stops.length,
      backTo: goesBack ? place(earliest) : undefined,
      beyond: goesBack === true && compareVersions(earliest, parseVersion(from)) < 0,
      reach: !earliest ? 'unknown' : stop.rollback.safe ? 'safe' : goesBack ? 'short' : 'none',
    };
  });
}

/** Where a version stands on the strip of a plan; undefined where it is off the strip. */
export function placeOnStrip(version: Version, { from, stops }: UpgradePlan): number | undefined {
  const points = [from, ...stops.map((stop) => stop.version)].map(parseVersion);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || compareVersions(version, first) < 0 || compareVersions(last, version) < 0) {
    return undefined;
  }
  return placeOf(version, points);
}

function placeOf(version: Version, points: readonly Version[]): number {
  const index = points.findLastIndex((point) => compareVersions(point, version) <= 0);
  const [before, after] = [points[index], points[index + 1]];
  if (!before) return 0;
  if (!after) return 1;
  const share = (ordinal(version) - ordinal(before)) / (ordinal(after) - ordinal(before));
  return (index + Math.min(1, Math.max(0, share))) / (points.length - 1);
}

const ordinal = ({ major, minor, patch }: Version) => major * 1e6 + minor * 1e3 + patch;
