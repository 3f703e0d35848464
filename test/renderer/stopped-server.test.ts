/** Stopping the server in the box from the page that comes from it. */
import { expect, test } from 'vitest';
import { consoleOnHomeserver } from './console-on-homeserver.ts';

const console = consoleOnHomeserver();

test('a server that was stopped is said to be stopped, and can be restarted when it runs again', async () => {
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
  await page.route('**/_gatehouse/v1/host/throwaways', (route) => route.fulfill({ json: { servers: [] } }));
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
