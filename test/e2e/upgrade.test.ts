import { describe, expect, test } from 'vitest';
import { administratorOf } from './homeserver-client.ts';
import { hosts, why } from './hosts.ts';

const updates = '/_service/admin/v1/background_updates';

describe.each(hosts)('in $name', (host) => {
  test.skipIf(host.missing)(
    `an administrator follows an upgrade plan to its end${why(host.missing)}`,
    async () => {
      await using running = await host.start();
      const { page, homeserverUrl } = running;
      const administrator = await administratorOf(running);
      const { body } = await administrator.get('/_service/admin/v1/server_version');

      // The server in the box is up to date; the plan of an older one can be looked at all the same.
      await page.getByRole('link', { name: /^Upgrade/ }).click();
      await page.getByRole('heading', { name: `No upgrade needed: v${body.server_version}` }).waitFor();
      await page.keyboard.press('f');
      await page.keyboard.type('1.98.0');
      await page.keyboard.press('Enter');
      const firstStop = page.getByRole('button', { name: /^Version 1 of 3: 1\.100\.0\./ });
      await firstStop.click();
      const commands = page.getByText(`'${homeserverUrl}/_service/admin/v1/server_version'`);
      await commands.first().waitFor();

      const backUp = page.getByRole('checkbox', { name: /^Back up: / }).first();
      await backUp.click();
      await page.getByText(/^1 of \d+ done$/).waitFor();
      await page.reload();
      await page.getByText(/^1 of \d+ done$/).waitFor();
      await page.keyboard.press('e');
      expect(await backUp.isChecked()).toBe(true);

      // What the server has not finished holds the end of the plan back.
      await administrator.post(`${updates}/enabled`, { enabled: false });
      await administrator.post(`${updates}/start_job`, { job_name: 'populate_stats_process_rooms' });
      const check = page.getByRole('status', { name: 'Check', exact: true });
      const checkNow = page.getByRole('button', { name: 'Check now' });
      await checkNow.click();
      await check.getByText(/1 background update pending \(\w+\)/).waitFor();
      const wait = page.getByRole('region', { name: /^After/ }).getByRole('checkbox', { name: /^Wait: / });
      expect(await wait.isChecked()).toBe(false);

      await administrator.post(`${updates}/enabled`, { enabled: true });
      await expect
        .poll(async () => (await administrator.get(`${updates}/status`)).body.current_updates)
        .toEqual({});
      await checkNow.click();
      await check.getByText('Plan complete.').waitFor();
      await expect.poll(() => wait.isChecked()).toBe(true);
    },
  );
});
