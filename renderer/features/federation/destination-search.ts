import { type Static, Type } from 'typebox';
import type { DestinationFilter } from '../../api/federation.ts';
import { type SearchReader, searchOf } from '../../search.ts';

const orders = ['destination', 'retry_last_ts', 'retry_interval', 'failure_ts'];

/** What the address of the list of other servers says. */
const DestinationSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  order: Type.Optional(Type.Enum(orders)),
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type DestinationSearch = Static<typeof DestinationSearch>;
export const readDestinationSearch: SearchReader<DestinationSearch> = searchOf(DestinationSearch);

export const filterOf = ({ search, order, dir }: DestinationSearch): DestinationFilter => ({
  search,
  order: order ?? 'destination',
  dir: dir ?? 'f',
});
