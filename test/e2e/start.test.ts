import { describe, expect, test } from 'vitest';
import { hosts, why } from './hosts.ts';

describe.each(hosts)('in $name', (host) => {
  test.skipIf(host.missing)(`starts signed in to the local server${why(host.missing)}`, async () => {
    await using running = await host.start();
    const { page } = running;
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Reports/ })
      .waitFor();
    const versions = await fetch(`${running.homeserverUrl}/_chat/client/versions`);
    expect(versions.status).toBe(200);
    // No token is left where the person could copy it, and the address is one of the console's own.
    expect(new URL(page.url()).pathname).toMatch(/^\/console\//);
    expect(page.url()).not.toContain('login_token');
  });
});
