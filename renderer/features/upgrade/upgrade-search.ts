import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../search.ts';

/** As it was typed: what is no version is kept, and the screen says so beside the field. */
const Version = Type.Optional(Type.String({ minLength: 1 }));

/** What the address of the upgrade screen says. Whatever is left out is found out: see `requestedWay`. */
const UpgradeSearch = Type.Object({
  /** The version to plan from; the server's own without it. */
  from: Version,
  /** The version to go to; the newest known one without it. */
  to: Version,
  /** Without stops. They are kept, and with them the ways back, where it isn't said. */
  way: Type.Optional(Type.Literal('direct')),
});
export type UpgradeSearch = Static<typeof UpgradeSearch>;
export const readUpgradeSearch: SearchReader<UpgradeSearch> = searchOf(UpgradeSearch);

export const isPlain = ({ from, to, way }: UpgradeSearch) =>
  from === undefined && to === undefined && way === undefined;
