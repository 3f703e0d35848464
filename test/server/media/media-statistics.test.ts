/** Who has uploaded how much, of many: counted right whatever comes and goes, and read without reading them all. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { upload } from './uploads.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const statistics = async (query = '') =>
  (await homeserver.as('admin').get(`/_service/admin/v1/statistics/users/media${query}`)).body;

test('the total is how many are listed, while people upload and all of it is deleted at once', async () => {
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

test('who has the most of many is found without reading them all', async () => {
  const { db } = homeserver.services;
  const [many, atOnce] = [30_000, 200];
  for (let first = 0; first < many; first += atOnce) {
    const numbers = Array.from({ length: atOnce }, (_, index) => first + index);
    await db
      .insertInto('media_totals')
      .values(numbers.map((each) => ({ user_id: `@u${each}:x`, media_count: 1, media_length: each })))
      .execute();
  }
  if (inject('postgres')) await sql`analyze media_totals`.execute(db);
  const fastest = async (query: string) => {
    let time = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 7; round++) {
      const begun = performance.now();
      await statistics(query);
      time = Math.min(time, performance.now() - begun);
    }
    return time;
  };
  const first = await statistics('?order_by=media_length&dir=b&limit=2');
  expect(first.users).toMatchObject([{ media_length: many - 1 }, { media_length: many - 2 }]);
  expect(first).toMatchObject({ total: many, next_token: 2 });
  // A search has to look at everyone.
  const everyone = await fastest('?search_term=nobody');
  for (const query of [
    'order_by=media_length&dir=b',
    'order_by=media_count&dir=b',
    'order_by=media_length',
  ]) {
    expect(await fastest(`?${query}&limit=10`)).toBeLessThan(everyone / 2);
  }
});
