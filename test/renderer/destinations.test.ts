/** Whether remote servers can be reached. */
import { i18n } from '@lingui/core';
import { afterEach, expect, test, vi } from 'vitest';
import type { Destination } from '../../renderer/api/federation.ts';
import {
  failureOf,
  filterOf,
  reachabilityOf,
  statusOf,
} from '../../renderer/features/federation/destinations.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });
afterEach(() => void vi.useRealTimers());

const destination = (more: Partial<Destination> = {}): Destination => ({ destination: 'a.example', ...more });

test.each<[string, Partial<Destination>, ReturnType<typeof reachabilityOf>]>([
  ['nothing was sent to', {}, 'unused'],
  ['has no times', { failure_ts: null, retry_last_ts: null, retry_interval: null }, 'unused'],
  ['has received an event', { retry_last_ts: 0, last_successful_stream_ordering: 5 }, 'reachable'],
  ['has received the first event', { last_successful_stream_ordering: 0 }, 'reachable'],
  ['fails', { failure_ts: 1, retry_last_ts: 2, last_successful_stream_ordering: 5 }, 'unreachable'],
  ['fails, without a retry yet', { failure_ts: 1, retry_last_ts: 0 }, 'unreachable'],
  ['fails since an unknown time', { failure_ts: null, retry_last_ts: 2 }, 'unreachable'],
])('a server that %s', (_, more, expected) => {
  expect(reachabilityOf(destination(more))).toBe(expected);
  const words = { unused: 'Nothing sent yet', reachable: 'Reachable', unreachable: 'Unreachable' };
  expect(statusOf(destination(more)).words).toBe(words[expected]);
});

test.each<[Partial<Destination>, object | undefined]>([
  [
    { failure_ts: 100, retry_last_ts: 400, retry_interval: 601 },
    { since: 100, nextRetry: 1001, isDue: false },
  ],
  [
    { failure_ts: 100, retry_last_ts: 400, retry_interval: 600 },
    { since: 100, nextRetry: 1000, isDue: false },
  ],
  [
    { failure_ts: 100, retry_last_ts: 400, retry_interval: 599 },
    { since: 100, nextRetry: 999, isDue: true },
  ],
  [{ failure_ts: 100 }, { since: 100, nextRetry: 0, isDue: true }],
  [
    { retry_last_ts: 400, retry_interval: null },
    { since: 400, nextRetry: 400, isDue: true },
  ],
  [{ failure_ts: 0, retry_last_ts: 0 }, undefined],
])('%j is retried as %j', (more, expected) => {
  vi.useFakeTimers({ now: 1000, toFake: ['Date'] });
  expect(failureOf(destination(more))).toEqual(expected);
});

test('the list is sorted by name unless another order is chosen', () => {
  expect(filterOf({ search: 'a', show: 'unused' })).toEqual({ search: 'a', order: 'destination', dir: 'f' });
  expect(filterOf({ order: 'failure_ts', dir: 'b' })).toMatchObject({ order: 'failure_ts', dir: 'b' });
});
