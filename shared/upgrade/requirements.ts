/** Required software by release. Interface: "Changes by release" and "Limits". */
import { parseVersion, type Version } from './version.ts';

export type RequirementName =
  | 'Python'
  | 'PostgreSQL'
  | 'SQLite'
  | 'Redis'
  | 'Rust'
  | 'Poetry'
  | 'S3 storage provider module'
  | 'External authentication service';

type RequirementRise = {
  name: RequirementName;
  since: Version;
  /** The minimum version; undefined if the interface has none. */
  minimum: string | undefined;
};

const since = (release: string, name: RequirementName, minimum?: string): RequirementRise => ({
  name,
  since: parseVersion(release),
  minimum,
});

/** All changes of minimum versions, oldest first. */
export const requirementRises: readonly RequirementRise[] = [
  since('1.50.0', /*i18n*/ 'Python', '3.7'),
  since('1.50.0', /*i18n*/ 'PostgreSQL', '10'),
  since('1.67.0', /*i18n*/ 'Redis'),
  since('1.67.0', /*i18n*/ 'Poetry', '1.2'),
  since('1.68.0', /*i18n*/ 'SQLite', '3.27.0'),
  since('1.68.0', /*i18n*/ 'Rust'),
  since('1.72.0', 'PostgreSQL', '11'),
  since('1.76.0', 'Poetry', '1.3.2'),
  since('1.86.0', 'Rust', '1.60.0'),
  since('1.88.0', 'Python', '3.8'),
  since('1.93.0', 'Rust', '1.61.0'),
  since('1.100.0', 'Rust', '1.65.0'),
  since('1.106.0', 'Rust', '1.66.0'),
  since('1.119.0', 'Python', '3.9'),
  since('1.122.0', 'PostgreSQL', '13'),
  // "Authentication", 6; its section of the configuration became stable in v1.136.0.
  since('1.136.0', /*i18n*/ 'External authentication service', '0.20.0'),
  since('1.140.0', /*i18n*/ 'S3 storage provider module', '1.6.0'),
  since('1.142.0', 'Python', '3.10'),
  since('1.142.0', 'SQLite', '3.40.0'),
  since('1.143.0', 'PostgreSQL', '14'),
];

type RequirementUse = {
  /** `{what}` with the servers that need it; undefined if all do. */
  onlyFor: string | undefined;
  /** Command that shows the installed version; undefined if that depends on the installation. */
  check: string | undefined;
};

/** In the order in which plans list them. */
export const requirementUses: Readonly<Record<RequirementName, RequirementUse>> = {
  Python: { onlyFor: undefined, check: 'python3 --version' },
  PostgreSQL: {
    onlyFor: /*i18n*/ '{what}, if used',
    check: "psql -c 'SHOW server_version'",
  },
  SQLite: {
    onlyFor: /*i18n*/ '{what}, if used',
    // The library of the server's Python, which may differ from the command-line tool.
    check: "python3 -c 'import sqlite3; print(sqlite3.sqlite_version)'",
  },
  Redis: { onlyFor: /*i18n*/ '{what}, for workers', check: 'redis-server --version' },
  Rust: { onlyFor: /*i18n*/ '{what}, for source builds', check: 'rustc --version' },
  Poetry: { onlyFor: /*i18n*/ '{what}, for source installations', check: 'poetry --version' },
  'S3 storage provider module': { onlyFor: /*i18n*/ '{what}, if used', check: "pip list | grep -i 's3'" },
  'External authentication service': { onlyFor: /*i18n*/ '{what}, if used', check: undefined },
};
