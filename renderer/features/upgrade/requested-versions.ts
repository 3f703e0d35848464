/** The versions that a plan is requested for. Apart from the search, which every screen loads with the routes. */
import { i18n } from '@lingui/core';
import { newestRelease } from '../../../shared/upgrade/changes/changes.ts';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  type Version,
  VersionError,
} from '../../../shared/upgrade/version.ts';
import type { UpgradeSearch } from './upgrade-search.ts';

export type VersionInput = {
  /** The entered version, or the default. */
  text: string;
  version?: Version;
  error?: VersionError;
};

type RequestedVersions = {
  /** Undefined until entered or loaded. */
  from: VersionInput | undefined;
  to: VersionInput;
  /** Describes the default of `to`. */
  toDefaultLabel: string;
};

/** @param serverVersion as the server reports it; undefined until loaded */
export function requestedVersions(
  search: UpgradeSearch,
  serverVersion: string | undefined,
): RequestedVersions {
  const fromText = search.from ?? serverVersion;
  const from = fromText === undefined ? undefined : parseInput(fromText);
  // A server newer than the data has no known target.
  const ahead = from?.version && compareVersions(from.version, newestRelease) > 0 ? from.version : undefined;
  const version = ahead ?? newestRelease;
  return {
    from,
    to: search.to === undefined ? { text: formatVersion(version), version } : parseInput(search.to),
    toDefaultLabel: ahead ? i18n.t('current version') : i18n.t('newest known'),
  };
}

/** Parses a version, or returns why it is invalid. */
export function parseInput(text: string): VersionInput {
  try {
    const version = parseVersion(text);
    return { text: formatVersion(version), version };
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    return { text, error };
  }
}
