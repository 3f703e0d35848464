import { i18n } from '@lingui/core';
import { IconCircleCheck, IconCircleDashed, IconPlugConnectedX } from '@tabler/icons-react';
import { type Static, Type } from 'typebox';
import type { Destination, DestinationFilter } from '../../api/federation.ts';
import type { State } from '../../components/State.tsx';
import { type SearchReader, searchOf } from '../../search.ts';

const orders = ['destination', 'retry_last_ts', 'retry_interval', 'failure_ts'];

const DestinationSearch = Type.Object({
  search: Type.Optional(Type.String({ minLength: 1 })),
  show: Type.Optional(Type.Enum(['unreachable', 'reachable', 'unused'])),
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
 * Returns the start of the current failure and the next retry, in milliseconds since 1970; undefined if the last attempt
 * succeeded. `isDue`: the backoff is over, so the next send retries.
 */
export function failureOf({
  failure_ts,
  retry_last_ts,
  retry_interval,
}: Destination): { since: number; nextRetry: number; isDue: boolean } | undefined {
  if (!failure_ts && !retry_last_ts) return undefined;
  const lastRetry = retry_last_ts ?? 0;
  const nextRetry = lastRetry + (retry_interval ?? 0);
  return { since: failure_ts || lastRetry, nextRetry, isDue: nextRetry < Date.now() };
}

export type Reachability = NonNullable<DestinationSearch['show']>;

export const reachabilityOf = (destination: Destination): Reachability =>
  failureOf(destination) ? 'unreachable' : hasDelivered(destination) ? 'reachable' : 'unused';

/** Describes the reachability; without any attempt, the absence of failures proves nothing. */
export function statusOf(destination: Destination): State {
  switch (reachabilityOf(destination)) {
    case 'unreachable':
      return { words: i18n.t('Unreachable'), tone: 'danger', icon: IconPlugConnectedX };
    case 'reachable':
      return { words: i18n.t('Reachable'), tone: 'success', icon: IconCircleCheck };
    case 'unused':
      return { words: i18n.t('Nothing sent yet'), tone: 'neutral', icon: IconCircleDashed };
  }
}

/** True if the server has received an event. */
export const hasDelivered = ({ last_successful_stream_ordering: ordering }: Destination): boolean =>
  ordering !== null && ordering !== undefined;
