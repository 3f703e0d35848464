/** Versions as servers print them: read, compared, written. Interface: "Versioning". */

import SemVer from 'semver/classes/semver.js';
import compare from 'semver/functions/compare.js';
import { inEnglish, type Sentence } from '../sentence.ts';

export type Version = {
  major: number;
  minor: number;
  patch: number;
  /** The number of a release candidate; undefined for a release. */
  candidate: number | undefined;
};

/** A string that is no version. The message says what was given, made safe to print, and what to write. */
export class VersionError extends Error {
  readonly problem: Sentence;
  readonly wayOut: Sentence = { sentence: /*i18n*/ 'use a format like 1.98.0 or 1.98.0rc1' };
  constructor(text: string) {
    // What a server sent may hold anything, terminal escapes too.
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

// After the numbers, what a packager adds, such as `-2~bpo12+1`, and what a server says of its build: ` (b=…, abcdef)`.
const pattern =
  /^v?(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})(?:\.(0|[1-9]\d{0,5}))?(?:[~-]?rc(0|[1-9]\d{0,5}))?(?:(?:\+|~(?!rc)|-(?=\d))[\w.+~-]{1,60})?(?: +\([^()]*\))?$/;

/**
 * Reads `1.98.0`, `v1.98.0`, `1.98`, `1.98.0rc1`, `1.125.0~ynh1`, `1.103.0-2~bpo12+1` or `1.105.1 (b=…, abcdef)`; white
 * space around it doesn't count.
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

/** Negative where `a` is the older one, 0 where both are the same; candidates come before their release. */
export const compareVersions = (a: Version, b: Version): number => compare(semver(a), semver(b));

/** Whether a version comes after one, and no later than another. */
export const isBetween = (after: Version, version: Version, upTo: Version) =>
  compareVersions(after, version) < 0 && compareVersions(version, upTo) <= 0;

/** To read a version takes longer than all that is done with it, and a plan compares the same few thousands of times. */
const read = new WeakMap<Version, SemVer>();

/** By the rules of semantic versioning a candidate's number has to stand for itself to be compared as one. */
function semver(version: Version): SemVer {
  const { major, minor, patch, candidate } = version;
  const known =
    read.get(version) ??
    new SemVer(`${major}.${minor}.${patch}${candidate === undefined ? '' : `-rc.${candidate}`}`);
  read.set(version, known);
  return known;
}

/** `1.98.0` or `1.98.0rc1`: as servers print it, without what they say of their build. */
export function formatVersion({ major, minor, patch, candidate }: Version): string {
  return `${major}.${minor}.${patch}${candidate === undefined ? '' : `rc${candidate}`}`;
}

/** The release that a candidate is for; a release itself. */
export function releaseOf(version: Version): Version {
  return { ...version, candidate: undefined };
}
