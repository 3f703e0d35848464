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

// From which version to which one a plan is asked for.

export type Side = {
  /** As it is shown: what was typed, or else what was found out. */
  text: string;
  version?: Version;
  error?: VersionError;
};

type RequestedWay = {
  /** Undefined where nobody knows: nothing was typed, and the server hasn't said. */
  from: Side | undefined;
  to: Side;
  /** What `to` is while nobody has typed it. */
  toOrigin: string;
};

/** @param serverVersion as the server prints it; undefined while it isn't known */
export function requestedWay(search: UpgradeSearch, serverVersion: string | undefined): RequestedWay {
  const fromText = search.from ?? serverVersion;
  const from = fromText === undefined ? undefined : sideOf(fromText);
  // A server that is ahead of the data has nowhere to go that is known.
  const ahead = from?.version && compareVersions(from.version, newestRelease) > 0 ? from.version : undefined;
  const version = ahead ?? newestRelease;
  return {
    from,
    to: search.to === undefined ? { text: formatVersion(version), version } : sideOf(search.to),
    toOrigin: ahead ? i18n.t('current version') : i18n.t('newest known'),
  };
}

/** A version as somebody or a server gave it, or why it is none. */
export function sideOf(text: string): Side {
  try {
    const version = parseVersion(text);
    return { text: formatVersion(version), version };
  } catch (error) {
    if (!(error instanceof VersionError)) throw error;
    return { text, error };
  }
}

/** As it was typed: what is no version is kept, and the screen says so beside the field. */
const VersionText = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of the upgrade screen says. Whatever is left out is found out: see `requestedWay`. */
const UpgradeSearch = Type.Object({
  /** The version to plan from; the server's own without it. */
  from: VersionText,
  /** The version to go to; the newest known one without it. */
  to: VersionText,
  /** Without stops. They are kept, and with them the ways back, where it isn't said. */
  way: Type.Optional(Type.Literal('direct')),
});
export type UpgradeSearch = Static<typeof UpgradeSearch>;
export const readUpgradeSearch: SearchReader<UpgradeSearch> = searchOf(UpgradeSearch);

export const isPlain = ({ from, to, way }: UpgradeSearch) =>
  from === undefined && to === undefined && way === undefined;
