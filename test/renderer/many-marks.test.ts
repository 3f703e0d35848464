import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { manyReports } from './many-reports.ts';

const console = consoleUnderTest();

const outbox = 'gatehouse.team.admin@fake';
const start = Date.UTC(2026, 10, 20);

type Kept = { id: string; at: number; body: object };

/** What marks reports as it is kept, so many at once, each a second after the one before. */
function marks(from: number, to: number, state: string, atOnce = 500): Kept[] {
  const kept: Kept[] = [];
  for (let id = from; id <= to; id += atOnce) {
    const reports = Array.from({ length: Math.min(atOnce, to - id + 1) }, (_, index) => id + index);
    kept.push({ id: `${state}-${id}`, at: start + id * 1000, body: { type: 'mark', reports, state } });
  }
  return kept;
}

async function openWith(kept: Kept[], path: string) {
  await console.page.addInitScript(
    ([key, text]) => {
      if (!localStorage.getItem(key)) localStorage.setItem(key, text);
    },
    [outbox, JSON.stringify(kept)] as const,
  );
  await console.open(path);
}

/** All marks that are kept of reports, with when they were set. */
async function keptMarks(): Promise<Map<number, { state: string; at: number }>> {
  const text = await console.page.evaluate((key) => localStorage.getItem(key) ?? '', outbox);
  const all: (Kept & { times?: number[]; body: { reports: number[]; state: string } })[] = JSON.parse(text);
  return new Map(
    all.flatMap(({ at, times, body: { reports, state } }) =>
      reports.map((id, index) => [id, { state, at: times?.[index] ?? at }] as const),
    ),
  );
}

const unreviewed = (count: string) => console.page.getByRole('status', { name: `${count} open` });

test('one person marks a hundred thousand reports, most of them one by one, and each mark stays with its time', async () => {
  manyReports(console.homeserver, 120_000);
  const kept = [...marks(1, 24_000, 'reviewed', 1), ...marks(24_001, 100_000, 'reviewed')];
  await openWith(kept, '/reports?report=120000');
  await unreviewed('20000').waitFor();
  await console.page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await unreviewed('19999').waitFor();
  await console.page.reload();
  await unreviewed('19999').waitFor();
  const all = await keptMarks();
  expect(all.size).toBe(100_001);
  expect(all.get(7)).toEqual({ state: 'reviewed', at: start + 7000 });
  expect(all.get(24_000)).toEqual({ state: 'reviewed', at: start + 24_000_000 });
});

test('that the oldest marks are forgotten for new ones is said where they are shared', async () => {
  manyReports(console.homeserver, 500_000);
  await openWith(marks(1, 400_000, 'reviewed'), '/settings');
  await console.page.getByText('New statuses replace the oldest.').waitFor();
});
