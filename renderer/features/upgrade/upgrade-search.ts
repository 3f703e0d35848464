import { i18n } from '@lingui/core';
import { type Static, Type } from 'typebox';
import { newestRelease } from '../../../shared/upgrade/changes/changes.ts';
import {
  compareVersions,
  formatVersion,
  parseVersion,
  type Version,
  VersionError,
} from '../../../shared/upgrade/version.ts';
import { type SearchReader, searchOf } from '../../search.ts';

// The versions that a plan is requested for.

export type Side = {
  /** The entered version, or the default. */
  text: string;
  version?: Version;
  error?: VersionError;
};

type RequestedWay = {
  /** Undefined until entered or loaded. */
  from: Side | undefined;
  to: Side;
  /** Describes the default of `to`. */
  toOrigin: string;
};

/** @param serverVersion as the server reports it; undefined until loaded */
export function requestedWay(search: UpgradeSearch, serverVersion: string | undefined): RequestedWay {
  const fromText = search.from ?? serverVersion;
  const from = fromText === undefined ? undefined : sideOf(fromText);
  // A server newer than the data has no known target.
  const ahead = from?.version && compareVersions(from.version, newestRelease) > 0 ? from.version : undefined;
  const version = ahead ?? newestRelease;
  return {
    from,
    to: search.to === undefined ? { text: formatVersion(version), version } : sideOf(search.to),
    toOrigin: ahead ? i18n.t('current version') : i18n.t('newest known'),
  };
}

/** Parses a version, or returns why it is invalid. */
export function sideOf(text: string): Side {
  try {
    const version = parseVersion(text);
    return { text: formatVersion(version), version };
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    return { text, error };
  }
}

/** Invalid versions are kept, so that the screen can show the error. */
const VersionText = Type.Optional(Type.String({ minLength: 1 }));

/** Search parameters of the upgrade screen. `requestedVersions` fills in the defaults. */
const UpgradeSearch = Type.Object({
  /** Defaults to the server's version. */
  from: VersionText,
  /** Defaults to the newest known version. */
  to: VersionText,
  /** Skips intermediate versions; by default they are kept, for rollback. */
  way: Type.Optional(Type.Literal('direct')),
});
export type UpgradeSearch = Static<typeof UpgradeSearch>;
export const readUpgradeSearch: SearchReader<UpgradeSearch> = searchOf(UpgradeSearch);

export const isPlain = ({ from, to, way }: UpgradeSearch) =>
  from === undefined && to === undefined && way === undefined;
