import coerce from 'semver/functions/coerce.js';
import compare from 'semver/functions/compare.js';

/**
 * The release of the interface that this server implements, the newest in "Changes by release". Upgrade
 * rule 3 has administrators compare it, so it is a release of the interface, not of this program.
 */
export const serverVersion = '1.161.0';

/** Whether one version of this program comes after another. */

/**
 * Whether something is of a version or a later one, as it says of itself: `14.9 (Debian 14.9-1)` or `v0.20.0`. What
 * was still being made when a version was not out yet, such as 0.20.0-rc.1, is not; nor is what names no version.
 */
export function isAtLeast(minimum: string, found: string): boolean {
  const [wanted, is] = [minimum, found].map((text) => coerce(text, { includePrerelease: true }));
  return wanted != null && is != null && compare(is, wanted) >= 0;
}

/** The version of this program, as in package.json. */
export const programVersion = '0.1.0';
