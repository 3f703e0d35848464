import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';

/** Invalid versions are kept, so that the screen can show the error. */
const VersionText = Type.Optional(Type.String({ minLength: 1 }));

/** Search parameters of the upgrade screen. `requestedVersions` fills in the defaults. */
const UpgradeSearch = Type.Object({
  /** Defaults to the server's version. */
  from: VersionText,
  /** Defaults to the newest known version. */
  to: VersionText,
  /** Intermediate versions; by default all that keep a rollback possible. */
  way: Type.Optional(Type.Union([Type.Literal('fewest'), Type.Literal('direct')])),
});
export type UpgradeSearch = Static<typeof UpgradeSearch>;
export const readUpgradeSearch: SearchReader<UpgradeSearch> = searchOf(UpgradeSearch);

export const isEmptySearch = ({ from, to, way }: UpgradeSearch) =>
  from === undefined && to === undefined && way === undefined;
