import { i18n } from '@lingui/core';
import { type Static, Type } from 'typebox';
import type { Destination, DestinationFilter } from '../../api/federation.ts';
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

/**
 * Since when another server can't be reached, and when it is tried next; undefined where no attempt failed. `isDue`:
 * the wait is over, and it is tried when there is something to send.
 */
export function unreachedOf({
  failure_ts,
  retry_last_ts,
  retry_interval,
}: Destination): { since: number; nextTry: number; isDue: boolean } | undefined {
  if (!failure_ts && !retry_last_ts) return undefined;
  const last = retry_last_ts ?? 0;
  const nextTry = last + (retry_interval ?? 0);
  return { since: failure_ts || last, nextTry, isDue: nextTry < Date.now() };
}

/** How it stands with another server, in words. Of one that nothing was sent to, no failure proves nothing. */
export function reachedWords(destination: Destination): { words: string; grave: boolean } {
  if (unreachedOf(destination)) return { words: i18n.t('Unreachable'), grave: true };
  return {
    words: wasReached(destination) ? i18n.t('Reachable') : i18n.t('Nothing sent yet'),
    grave: false,
  };
}

/** Whether an event arrived there. */
export const wasReached = ({ last_successful_stream_ordering: last }: Destination): boolean =>
  last !== null && last !== undefined;
