import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Homeserver } from '../../../server/app/homeserver.ts';
import {
  nextChange,
  settledChangePosition,
  settledPositions,
} from '../../../server/platform/database/changes.ts';
import { afterCommit, inTransaction } from '../../../server/platform/database/transaction.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';

let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver();
});
afterAll(() => homeserver.remove());

const db = () => (homeserver as Homeserver).services.db;

test('changes are numbered in order and settled when committed', async () => {
  const before = await settledPositions(db());
  const number = await inTransaction(db(), nextChange);
  expect(number).toBeGreaterThan(before.changes);
  expect(await settledChangePosition(db())).toBe(number);
  expect((await settledPositions(db())).events).toBe(before.events);
});

test.runIf(inject('postgres'))('nothing is settled behind a pending change', async () => {
  const { promise: maySlowEnd, resolve: letSlowEnd } = Promise.withResolvers<void>();
  const { promise: slowNumber, resolve: slowHasNumber } = Promise.withResolvers<number>();
  const slow = inTransaction(db(), async (tx) => {
    slowHasNumber(await nextChange(tx));
    await maySlowEnd;
  });
  const first = await slowNumber;
  const second = await inTransaction(db(), nextChange);
  expect(second).toBeGreaterThan(first);
  expect(await settledPositions(db())).toMatchObject({ changes: first - 1, newestChange: second });
  letSlowEnd();
  await slow;
  expect(await settledPositions(db())).toMatchObject({ changes: second, newestChange: second });
});

test('after-commit callbacks run on commit, not on rollback', async () => {
  const { promise: done, resolve } = Promise.withResolvers<string>();
  const undone = inTransaction(db(), async (tx) => {
    afterCommit(tx, () => resolve('what was undone'));
    throw new Error('no');
  });
  await expect(undone).rejects.toThrow('no');
  await inTransaction(db(), async (tx) => afterCommit(tx, () => resolve('what was kept')));
  expect(await done).toBe('what was kept');
});
