import { expect, test } from 'vitest';
import {
  countingInto,
  countStatement,
  slowestOf,
} from '../../../server/platform/database/query/statements.ts';

test('the slowest statements are listed, each by its beginning', () => {
  const usage = { statements: 0, milliseconds: 0, texts: new Map() };
  countingInto(usage, () => {
    for (let number = 0; number < 1_000; number++) countStatement(`select ${number}`, number % 400);
    for (let times = 0; times < 3; times++) countStatement(`select ${'?, '.repeat(2_000)}`, 1_000);
  });
  expect(usage.statements).toBe(1_003);
  expect(usage.texts.size).toBeLessThanOrEqual(100);
  const told = slowestOf(usage.texts);
  expect(told).toHaveLength(50);
  expect(told.slice(0, 3)).toMatchObject([
    { sql: `select ${'?, '.repeat(331)}…`, times: 3, milliseconds: 3_000 },
    { milliseconds: 399 },
    { milliseconds: 399 },
  ]);
});
