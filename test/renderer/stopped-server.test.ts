/** Stopping the built-in homeserver from a page that it serves. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();

test('a stopped server is shown as stopped and can be restarted', async () => {
  const { page } = console;
  let runs = true;
  const state = {
    status: 'running',
    starts: 1,
    data_dir: '/data',
    configuration_path: '/data/homeserver.yaml',
  };
  await page.route('**/_gatehouse/v1/host', (route) =>
    runs ? route.fulfill({ json: state }) : route.abort(),
  );
  await page.route('**/_gatehouse/v1/host/temporary-servers', (route) =>
    route.fulfill({ json: { servers: [] } }),
  );
  await page.route('**/_gatehouse/v1/host/stop', (route) => {
    runs = false;
    return route.fulfill({ json: {} });
  });
  await console.open('/local-server');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const shown = page.getByRole('status', { name: 'Local server status' });
  await shown.getByText('Running').waitFor();
  await button('Stop').click();
  await button('Stop server').click();
  await shown.getByText('Stopped', { exact: true }).waitFor();
  await page
    .getByText(/^Stopping\. Restart in its terminal: npm start, or npm run gatehouse -- serve\./)
    .waitFor();
  for (const name of ['Restart', 'Stop', 'Reset…']) expect(await button(name).count()).toBe(0);

  runs = true;
  await shown.getByText('Running').waitFor();
  await button('Restart').waitFor();
  expect(
    await page
      .getByText(/^Stopping\. Restart in its terminal: npm start, or npm run gatehouse -- serve\./)
      .count(),
  ).toBe(0);
});
