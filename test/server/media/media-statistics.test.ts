/** Upload statistics of many users: correct after any change, and read without a full scan. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeEach(async () => {
  homeserver = await startHomeserver();
});
afterEach(() => homeserver.remove());

const statistics = async (query = '') =>
  (await homeserver.as('admin').get(`/_service/admin/v1/statistics/users/media${query}`)).body;

test('the total equals the number of listed uploaders during uploads and deletions', async () => {
  const people = ['alice', 'bob', 'carol'] as const;
  for (let round = 0; round < 6; round++) {
    await Promise.all(
      people.flatMap((person) => [
        upload(homeserver, person, `${person} ${round}`),
        upload(homeserver, person, `${person} ${round} again`),
        homeserver.as('admin').delete(`/_service/admin/v1/users/@${person}:localhost/media`),
      ]),
    );
    const { users, total } = await statistics();
    expect(total).toBe(users.length);
  }
  for (const person of people) {
    await homeserver.as('admin').delete(`/_service/admin/v1/users/@${person}:localhost/media`);
  }
  expect(await statistics()).toEqual({ users: [], total: 0 });
});

test('the first page in any numeric order costs the same, however many there are', async () => {
  const { db } = homeserver.services;
  const [few, many] = [200, 40_000];
  const addUpTo = async (count: number, present: number) => {
    for (let first = present; first < count; first += few) {
      const numbers = Array.from({ length: few }, (_, index) => first + index);
      await db
        .insertInto('media_totals')
        .values(numbers.map((each) => ({ user_id: `@u${each}:x`, media_count: 1, media_length: each })))
        .execute();
    }
    if (inject('postgres')) await sql`analyze media_totals`.execute(db);
  };
  const orders = ['media_length', 'media_count', 'user_id'];
  const queries = orders.flatMap((order) =>
    ['b', 'f'].map((dir) => `?order_by=${order}&dir=${dir}&limit=10`),
  );
  const measure = async () => {
    const times = queries.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < 40; round++) {
      for (const [index, query] of queries.entries()) {
        const begun = performance.now();
        await statistics(query);
        times[index] = Math.min(times[index] ?? 0, performance.now() - begun);
      }
    }
    return times;
  };
  await addUpTo(few, 0);
  const before = await measure();
  await addUpTo(many, few);
  const after = await measure();
  const first = await statistics('?order_by=media_length&dir=b&limit=2');
  expect(first.users).toMatchObject([{ media_length: many - 1 }, { media_length: many - 2 }]);
  expect(first).toMatchObject({ total: many, next_token: 2 });
  // Without an index, sorting takes 6 to 14 times as long. Other work on the machine also takes time.
  for (const [index, query] of queries.entries()) {
    expect({ query, slower: (after[index] ?? 0) / (before[index] ?? 0) > 4 }).toEqual({
      query,
      slower: false,
    });
  }
});
