/** The user's column choices, kept on this device. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import type { DeviceStorage } from '../../persisted.ts';

const Layout = Type.Object({
  /** Columns whose visibility differs from the default. */
  toggled: Type.Array(Type.String()),
  /** Columns that stay hidden even if there is room. */
  unwanted: Type.Optional(Type.Array(Type.String())),
  /** Columns that stay visible even if they don't fit. */
  wanted: Type.Optional(Type.Array(Type.String())),
  /** In pixels. */
  widths: Dictionary(Type.Number()),
});
export type Layout = Static<typeof Layout>;

/** @param name the table's, shared by all servers */
export const storedLayout = (deviceStorage: DeviceStorage, name: string) =>
  deviceStorage.open(`gatehouse.table.${name}`, Layout, { toggled: [], widths: {} });
