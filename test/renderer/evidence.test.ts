/** Evidence archives: all data of a report unchanged, with hashes, and a page without scripts. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { i18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { evidenceArchive } from '../../renderer/features/reports/evidence/evidence-archive.ts';
import { evidencePage } from '../../renderer/features/reports/evidence/evidence-page.ts';
import type { Evidence } from '../../renderer/features/reports/evidence/gather-evidence.ts';
import type { EventReportDetail } from '../../shared/api/reports.ts';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReport } from './sample-reports.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const hostile = `</pre><script>alert(1)</script><img src=x onerror="alert('2')">`;

const evidence: Evidence = {
  by: '@mod:s',
  at: Date.UTC(2026, 2, 1),
  server: 'https://s.example',
  report: {
    ...sampleReport(7, { reason: hostile, name: hostile }),
    event_json: { type: 'm.room.message', sender: '@mallory:s', content: { body: hostile }, [hostile]: 1 },
  } as EventReportDetail,
  now: { event_id: '$e', content: {} },
  stored: undefined,
  versions: [],
  context: [{ type: hostile, sender: hostile, content: { a: hostile }, origin_server_ts: 'soon' }],
  verification: undefined,
  log: [
    {
      id: 'n',
      by: '@mod:s',
      at: Date.UTC(2026, 1, 1),
      body: { type: 'note', subject: { kind: 'report', id: 7 }, text: hostile },
    },
  ],
  media: [{ uri: hostile, eventId: '$e', sha256: hostile }],
  files: [{ uri: 'mxc://s/pic', blob: new Blob(['GIF89a'], { type: 'image/gif' }) }],
  missing: [hostile],
};

test('the page shows hostile content as text', () => {
  const page = evidencePage(evidence, [], 'en');
  expect(page.match(/<(script|img)/g)).toBe(null);
  expect(page.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;/g)?.length).toBeGreaterThan(5);
  expect(page).toContain(`default-src 'none'`);
});

test('the archive contains the files with their hashes', async () => {
  // The archive isn't compressed, so its content can be searched.
  const archive = Buffer.from(await (await evidenceArchive([evidence], 'en')).arrayBuffer()).toString(
    'latin1',
  );
  for (const path of ['index.html', 'manifest.json', 'report.json', 'event-now.json', 'media/1.gif']) {
    expect(archive).toContain(`report-7/${path}`);
  }
  const sha256 = createHash('sha256').update('GIF89a').digest('hex');
  expect(archive).toContain(
    `"path": "media/1.gif",\n      "size": 6,\n      "sha256": "${sha256}",\n      "source": "mxc://s/pic"`,
  );
});

const console = consoleUnderTest();

test('a report is exported with its context and a list of missing parts', async () => {
  const { page, homeserver } = console;
  homeserver.reports = [sampleReport(1)];
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await console.open('/reports?report=1');
  const source = page.getByRole('region', { name: 'Event source' });
  await source.scrollIntoViewIfNeeded();
  const download = page.waitForEvent('download');
  await source.getByRole('button', { name: 'Export evidence' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('evidence-report-1.zip');
  const archive = await readFile(await file.path(), 'latin1');
  expect(archive).toContain('report-1/index.html');
  expect(archive).toContain('Message 1');
  await source.getByText('Evidence exported.').waitFor();
});
