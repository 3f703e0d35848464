/** Export of filtered reports: complete, in order, safely escaped, and no partial file after a stop. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { headerLine, rowLine } from '../../renderer/components/file/table-file.ts';
import { reportRow } from '../../renderer/features/reports/export/export-rows.ts';
import type { DocumentsOfKind } from '../../shared/team/documents.ts';
import type { Mark } from '../../shared/team/entries.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { manyReports } from './many-reports.ts';
import { sampleReport, sampleReports } from './sample-reports.ts';
import { storedMarks } from './stored-marks.ts';

const console = consoleUnderTest();

/** Simulates browsers without a save dialog, which download the finished file. */
const withoutPicker = () =>
  console.page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));

/** Replaces the save dialog with a file in the browser's private storage, which is really written. */
const withPicker = () =>
  console.page.addInitScript(() => {
    Object.assign(window, {
      showSaveFilePicker: async () =>
        (await navigator.storage.getDirectory()).getFileHandle('export', { create: true }),
    });
  });

const written = () =>
  console.page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    return (await (await root.getFileHandle('export')).getFile()).text();
  });

async function openExport(search = '') {
  await console.open(`/reports${search}`);
  await console.page.getByRole('option').first().waitFor();
  await console.page.getByRole('button', { name: 'Export reports' }).click();
  return console.page.getByRole('dialog', { name: 'Export reports' });
}

test('a row has the verdict, and the policy by its name', () => {
  const by = '@admin:fake.example';
  const mark: Mark = { reportId: 1, state: 'reviewed', verdict: 'upheld', policy: 'spam', by, at: 0 };
  const policies = new Map([['spam', { content: { name: 'No spam' } }]]) as unknown as DocumentsOfKind;
  expect(reportRow(sampleReport(1), { mark, message: undefined, notes: [], policies })).toMatchObject({
    verdict: 'upheld',
    policy: 'No spam',
  });
});

test('a CSV has one row per report and no formulas', async () => {
  const { page, homeserver } = console;
  const reasons = [
    '=HYPERLINK("http://evil")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    'a "quoted", line\nand one more',
    null,
  ];
  homeserver.reports = reasons.map((reason, index) =>
    sampleReport(index + 1, { reason, name: index === 0 ? '=cmd' : 'Lobby' }),
  );
  // An event without readable JSON.
  Object.assign(homeserver.reports[6] ?? {}, { event_json: null });
  await withoutPicker();
  const panel = await openExport('?order=oldest');
  const download = page.waitForEvent('download');
  await panel.getByText('Exports 7 reports, oldest first.').waitFor();
  await panel.getByLabel('Include messages (one request each)').check();
  await panel.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^reports-\d{4}-\d\d-\d\d\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.startsWith('\uFEFFid,received,received_ts,state,')).toBe(true);
  const cells = text.split('\r\n').slice(1, -1);
  expect(cells).toHaveLength(7);
  expect(cells[0]).toBe(
    `1,2026-01-01T00:01:00.000Z,1767225660000,open,,,,,!lobby:fake.example,"'=cmd",,$event-1,"'@alice:fake.example","'@mallory:fake.example",-50,"'=HYPERLINK(""http://evil"")",Message 1,`,
  );
  expect(cells.map((cell) => cell.slice(cell.indexOf('-50,') + 4))).toEqual([
    `"'=HYPERLINK(""http://evil"")",Message 1,`,
    `"'+1",Message 2,`,
    `"'-1",Message 3,`,
    `"'@SUM(A1)",Message 4,`,
    `"'\tx",Message 5,`,
    '"a ""quoted"", line\nand one more",Message 6,',
    ',,',
  ]);
  await panel.getByText('7 reports exported').waitFor();
});

test('a raw CSV leaves user IDs unchanged', () => {
  const row = { reporter: '@karen:b', reason: '=1+1; "quoted"' };
  const columns = ['reporter', 'reason'];
  expect(headerLine('raw-csv', columns)).toBe('reporter,reason\r\n');
  expect(rowLine('raw-csv', columns, row)).toBe('@karen:b,"=1+1; ""quoted"""\r\n');
  expect(rowLine('csv', columns, row)).toBe(`"'@karen:b","'=1+1; ""quoted"""\r\n`);
});

test('a CSV split at other separators, as in German, has no formulas either', async () => {
  const { page, homeserver } = console;
  const reasons = [
    'x;=1+1',
    'x\t=1+1',
    'x\n=1+1',
    'x; =1+1;@SUM(A1)',
    '\u0000=1+1',
    '\u200b=1+1',
    'a; b = c\nd',
  ];
  homeserver.reports = reasons.map((reason, index) => sampleReport(index + 1, { reason }));
  await withoutPicker();
  const panel = await openExport();
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'Export' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  const pieces = text.split(/[;\t\r\n]/).map((piece) => piece.replace(/^[\s\p{Cc}\p{Cf}]+/u, ''));
  expect(pieces.filter((piece) => /^[=+@-]/.test(piece))).toEqual([]);
  expect(text).toContain("x; '=1+1;'@SUM(A1)");
  expect(text).toContain('a; b = c\nd');
});

test('it is complete without duplicates while reports are deleted and added', async () => {
  const { page, homeserver } = console;
  const state = manyReports(homeserver, 9_000);
  await withPicker();
  const panel = await openExport();
  const answer = homeserver.interfere;
  let asked = 0;
  homeserver.interfere = (method, path, query) => {
    if (path.endsWith('/event_reports') && query.get('limit') === '1000') {
      asked++;
      // Reports change between pages: exported and pending ones are deleted, and new ones arrive.
      for (let count = 0; count < 30; count++) state.gone.add(9_000 - asked * 40 - count);
      state.gone.add(10 + asked);
      state.newest += 3;
    }
    return answer(method, path, query);
  };
  await panel.getByText('NDJSON').click();
  await panel.getByRole('button', { name: 'Export' }).click();
  await panel.getByText(/reports exported/).waitFor();
  const ids = (await written())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id as number);
  expect(asked).toBeGreaterThan(8);
  expect(new Set(ids).size).toBe(ids.length);
  const always = Array.from({ length: 9_000 }, (_, index) => 9_000 - index).filter(
    (id) => !state.gone.has(id),
  );
  const got = new Set(ids);
  expect(always.filter((id) => !got.has(id))).toEqual([]);
  expect(ids).toEqual([...ids].sort((one, other) => other - one));
  expect(await page.evaluate(() => document.querySelectorAll('[role="alert"]').length)).toBe(0);
});

test('only matches of queue and search are exported', async () => {
  const { homeserver } = console;
  homeserver.reports = sampleReports(12);
  await withPicker();
  await console.page.addInitScript(
    (kept) => localStorage.setItem('gatehouse.team.admin@fake', kept),
    JSON.stringify([
      ...JSON.parse(storedMarks([11, 12])),
      { id: 'n', at: 0, body: { type: 'note', subject: { kind: 'report', id: 10 }, text: 'Seen' } },
    ]),
  );
  const panel = await openExport('?queue=unreviewed&text=reason%201');
  await panel.getByLabel('Include messages (one request each)').check();
  await panel.getByText('NDJSON').click();
  await panel.getByRole('button', { name: 'Export' }).click();
  await panel.getByText('2 reports exported').waitFor();
  const [ten, one] = (await written()).split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  expect(ten).toMatchObject({
    id: 10,
    reporter: '@alice:fake.example',
    message: 'Message 10',
    notes: '@admin:fake.example: Seen',
  });
  expect(one).toMatchObject({ id: 1, message: 'Message 1', notes: null });
});

test('it shows progress and leaves nothing when stopped', async () => {
  const { page, homeserver } = console;
  manyReports(homeserver, 100_000);
  await withPicker();
  const panel = await openExport();
  const answer = homeserver.interfere;
  homeserver.interfere = (method, path, query) =>
    Number(query.get('from')) > 3_000 ? new Promise(() => {}) : answer(method, path, query);
  await panel.getByRole('button', { name: 'Export' }).click();
  await panel.getByText(/^3,99\d of 100,000 scanned/).waitFor();
  const progress = page.getByRole('progressbar', { name: 'Export' });
  expect(await progress.getAttribute('aria-valuenow')).toBe('3');
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.getByText('Stopped. No file saved.').waitFor();
  expect(await written()).toBe('');
});

test('it also shows progress while loading messages', async () => {
  const { homeserver } = console;
  homeserver.reports = sampleReports(250);
  await withPicker();
  const panel = await openExport();
  // The oldest messages never load.
  homeserver.interfere = (_, path) =>
    Number(/event_reports\/(\d+)$/.exec(path)?.[1]) < 100 ? new Promise(() => {}) : undefined;
  await panel.getByLabel('Include messages (one request each)').check();
  await panel.getByRole('button', { name: 'Export' }).click();
  await panel.getByText('100 of 250 scanned, 100 exported').waitFor();
  await panel.getByRole('button', { name: 'Stop' }).click();
  await panel.getByText('Stopped. No file saved.').waitFor();
});
