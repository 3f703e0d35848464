import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../chromium.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { longestTurn, mostTurn } from '../longest-turn.ts';

let homeserver: TestHomeserver;
let browser: Browser;
beforeAll(async () => {
  homeserver = await startHomeserver();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await homeserver.remove();
});

test('the reference contacts only this server, runs only its scripts, and shows every field', {
  timeout: 180_000,
}, async () => {
  const page = await browser.newPage();
  // Slow computers take half a minute to show the whole reference.
  page.setDefaultTimeout(120_000);
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));

  const reply = await page.goto(`${homeserver.url}/_service/openapi/reference/`);
  expect(reply?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
  await page.getByText('event_reports', { exact: true }).first().click();
  await page.getByRole('button', { name: 'GET /_service/admin/v1/event_reports', exact: true }).click();
  await page.getByText('event_sender_user_id').first().waitFor();
  // Read only: the page can't send requests.
  expect(await page.getByRole('button', { name: /try it out|execute/i }).count()).toBe(0);

  expect(complaints).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(`${homeserver.url}/`) && !url.startsWith('data:'))).toEqual(
    [],
  );
  expect(asked.length).toBeGreaterThan(3);
});

test('the page without scripts links to it', async () => {
  const { body } = await homeserver.as('guest').get('/_service/openapi');
  const [, path = ''] = /href="([^"]*reference\/)"/.exec(body) ?? [];
  expect((await fetch(homeserver.url + path)).status).toBe(200);
  const { status, headers } = await fetch(homeserver.url + path.replace(/\/$/, ''), { redirect: 'manual' });
  expect({ status, location: headers.get('location') }).toEqual({ status: 302, location: path });
});

test('generating the document blocks no other request', async () => {
  const fresh = await startHomeserver();
  expect((await fetch(`${fresh.url}/health`)).status).toBe(200);
  const turn = await longestTurn(async () => {
    expect((await fetch(`${fresh.url}/_service/openapi.json`)).status).toBe(200);
  });
  expect(turn).toBeLessThan(mostTurn);
  await fresh.remove();
});
