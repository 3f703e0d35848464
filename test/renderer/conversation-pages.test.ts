/** A conversation paged in both directions is complete after a refetch. */
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { conversationQuery } from '../../renderer/api/event-context.ts';
import type { Server } from '../../renderer/transport/server.ts';

const total = 100;
const asked: string[] = [];

/** Serves a room with a hundred events. Each pagination token is a position between two of them. */
async function answer(path: string) {
  asked.push(path);
  const url = new URL(path, 'http://server.example');
  const event = (place: number) => ({ event_id: `$${place}` });
  const range = (from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from) }, (_, index) => event(from + index));
  if (url.pathname.includes('/context/')) {
    return {
      events_before: range(44, 50).reverse(),
      event: event(50),
      events_after: range(51, 57),
      start: 's44',
      end: 's57',
    };
  }
  const from = Number(url.searchParams.get('from')?.slice(1));
  const limit = Number(url.searchParams.get('limit'));
  const events =
    url.searchParams.get('dir') === 'b'
      ? range(Math.max(0, from - limit), from).reverse()
      : range(from, Math.min(total, from + limit));
  const end = url.searchParams.get('dir') === 'b' ? from - events.length : from + events.length;
  return { chunk: events, end: `s${end}` };
}

const server = { id: 'server', get: (_: unknown, path: string) => answer(path) } as unknown as Server;

test('all pages load again, in order', async () => {
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, conversationQuery(server, '!room', '$50'));
  const stop = observer.subscribe(() => {});
  const shown = () =>
    observer.getCurrentResult().data?.pages.flatMap(({ events }) => events.map(({ event_id }) => event_id));
  await expect.poll(shown).toHaveLength(13);
  await observer.fetchPreviousPage();
  await observer.fetchPreviousPage();
  await observer.fetchNextPage();
  const before = shown();
  expect(before).toEqual(Array.from({ length: 73 }, (_, index) => `$${index + 4}`));

  asked.length = 0;
  await observer.refetch();
  expect(shown()).toEqual(before);
  expect(asked).toHaveLength(4);

  await observer.fetchPreviousPage();
  await observer.fetchPreviousPage();
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  expect(shown()).toEqual(Array.from({ length: total }, (_, index) => `$${index}`));
  const { hasNextPage, hasPreviousPage } = observer.getCurrentResult();
  expect([hasNextPage, hasPreviousPage]).toEqual([false, false]);
  stop();
});
