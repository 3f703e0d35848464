import { test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { manyReports } from './many-reports.ts';

const console = consoleUnderTest();

test('a limit on remembered statuses is explained where they are shared', async () => {
  manyReports(console.homeserver, 500_000);
  await console.page.addInitScript(() => {
    const kept = Array.from({ length: 800 }, (_, index) => {
      const reports = Array.from({ length: 500 }, (_, place) => 1 + 500 * index + place);
      return {
        id: `${index}`,
        at: Date.UTC(2026, 10, 20),
        body: { type: 'mark', reports, state: 'reviewed' },
      };
    });
    localStorage.setItem('gatehouse.team.admin@fake', JSON.stringify(kept));
  });
  await console.open('/settings');
  await console.page.getByText('New statuses replace the oldest.').waitFor();
});
