import coerce from 'semver/functions/coerce.js';
import compare from 'semver/functions/compare.js';

/** The Synapse release whose API this server implements. Consoles and the upgrade planner compare it. */
export const serverVersion = '1.161.0';

/**
 * Whether a reported version, such as `14.9 (Debian 14.9-1)` or `v0.20.0`, is at least the minimum. False for pre-releases
 * of the minimum, and for text without a version.
 */
export function isAtLeast(minimum: string, reported: string): boolean {
  const [wanted, is] = [minimum, reported].map((text) => coerce(text, { includePrerelease: true }));
  return wanted != null && is != null && compare(is, wanted) >= 0;
}

/** As in package.json. */
export const programVersion = '0.1.0';
