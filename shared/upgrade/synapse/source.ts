/**
 * Sources of the facts from Synapse's source and release notes, and how much of them was read.
 * Facts only, in this project's words.
 */
import { parseVersion, type Version } from '../version.ts';

/** When the source was read. */
export const sourceDate = '2026-11-29';

/** The newest release that was read. */
export const newestRead = parseVersion('1.160.0');

/** The address of a release's source. */
export const tag = (release: string) => `https://github.com/element-hq/synapse/tree/v${release}`;

/** The address of a release's notes. */
export const releaseNotes = (release: string) =>
  `https://github.com/element-hq/synapse/releases/tag/v${release}`;

type SchemaRow = {
  /** The first release with these values. */
  since: Version;
  /** SCHEMA_VERSION in `synapse/storage/schema/__init__.py`. */
  schema: number;
  /** SCHEMA_COMPAT_VERSION there: the lowest schema version whose releases can use the database. */
  compatible: number;
  /** The first release whose schema version is at least that. */
  earliest: Version;
  source: string;
};

const schemaRow = (since: string, schema: number, compatible: number, earliest: string): SchemaRow => ({
  since: parseVersion(since),
  schema,
  compatible,
  earliest: parseVersion(earliest),
  source: tag(since),
});

/** Continues the interface's rollback table up to `newestRead`. Oldest first. */
export const schemaRows: readonly SchemaRow[] = [
  schemaRow('1.149.1', 93, 84, '1.100.0'),
  schemaRow('1.151.0', 94, 84, '1.100.0'),
];
