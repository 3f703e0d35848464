/** Parses, compares and formats versions. Interface: "Versioning". */

import SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import { inEnglish, type Sentence } from '../sentence.ts';

export type Version = {
  major: number;
  minor: number;
  patch: number;
  /** Number of the release candidate; undefined for a release. */
  candidate: number | undefined;
};

/** An invalid version. The message has a printable form of it. */
export class VersionError extends Error {
  readonly problem: Sentence;
  readonly wayOut: Sentence = { sentence: /*i18n*/ 'use a format like 1.98.0 or 1.98.0rc1' };
  constructor(text: string) {
    // A server may send anything, such as terminal escapes.
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    const problem = {
      sentence: /*i18n*/ "“{shown}” isn't a version",
      values: { shown: shown.replace(/[^\x20-\x7e…]/g, '?') },
    };
    super(`${inEnglish(problem)}; use a format like 1.98.0 or 1.98.0rc1`);
    this.name = 'VersionError';
    this.problem = problem;
  }
}

// Also with a packager's suffix, such as `-2~bpo12+1`, and a server's build information: ` (b=…, abcdef)`.
const pattern =
  /^v?(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(?:\.(0|[1-9]\d{0,5}))?(?:[~-]?rc(0|[1-9]\d{0,5}))?(?:(?:\+|~(?!rc)|-(?=\d))[\w.+~-]{1,60})?(?: +\([^()]*\))?$/;

/**
 * Parses `1.98.0`, `v1.98.0`, `1.98`, `1.98.0rc1`, `1.125.0~ynh1`, `1.103.0-2~bpo12+1` or `1.105.1 (b=…, abcdef)`; ignores
 * white space around it.
 *
 * @throws VersionError
 */
export function parseVersion(text: string): Version {
  const [matched, major, minor, patch = '0', candidate] = pattern.exec(text.trim()) ?? [];
  if (matched === undefined) throw new VersionError(text);
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    candidate: candidate === undefined ? undefined : Number(candidate),
  };
}

/** Returns a negative number if `a` is older, 0 if both are the same. Candidates come before their release. */
export const compareVersions = (a: Version, b: Version): number => compare(semver(a), semver(b));

/** Whether a version is after one and up to another. */
export const isBetween = (after: Version, version: Version, upTo: Version) =>
  compareVersions(after, version) < 0 && compareVersions(version, upTo) <= 0;

/** Cached, because a plan compares the same versions thousands of times. */
const read = new WeakMap<Version, SemVer>();

/** The candidate's number is a separate identifier, so that it's compared as a number. */
function semver(version: Version): SemVer {
  const { major, minor, patch, candidate } = version;
  const known =
    read.get(version) ??
    new SemVer(`${major}.${minor}.${patch}${candidate === undefined ? '' : `-rc.${candidate}`}`);
  read.set(version, known);
  return known;
}

/** Returns `1.98.0` or `1.98.0rc1`, without build information. */
export function formatVersion({ major, minor, patch, candidate }: Version): string {
  return `${major}.${minor}.${patch}${candidate === undefined ? '' : `rc${candidate}`}`;
}

/** Returns a candidate's release, or the release itself. */
export function releaseOf(version: Version): Version {
  return { ...version, candidate: undefined };
}
