import { changes } from '../../../shared/upgrade/changes/changes.ts';
import { rollbackTable } from '../../../shared/upgrade/rollback.ts';
import { compareVersions, formatVersion } from '../../../shared/upgrade/version.ts';

/** Every release that the data name, the newest first: what the version fields offer. */
export const knownVersions: readonly string[] = [
  ...new Set(
    [...changes.map(({ release }) => release), ...rollbackTable.flatMap(({ first, last }) => [first, last])]
      .sort((a, b) => compareVersions(b, a))
      .map(formatVersion),
  ),
];
