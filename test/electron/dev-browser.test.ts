/** `npm run dev` without a display: serves the console from Vite in a browser. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { launchChromium } from '../chromium.ts';
import { patience } from '../patience.ts';

const root = mkdtempSync(join(tmpdir(), 'gatehouse-dev-browser-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Runs without a display. */
function develop(args: string[]) {
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, VITEST: _, ...env } = process.env;
  const child = spawn(process.execPath, [join(projectRoot, 'electron/launch/dev.ts'), ...args], {
    cwd: projectRoot,
    env: { ...env, NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const link = Promise.withResolvers<string>();
  const running = { child, output: '', link: link.promise };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      running.output += chunk;
      const [, found] = /^Sign in: +(\S+)$/m.exec(running.output) ?? [];
      if (found) link.resolve(found);
    });
  }
  link.promise.catch(() => {});
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  void ended.then(() => link.reject(new Error(`It ended:\n${running.output}`)));
  return Object.assign(running, { ended });
}

const lastChange = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : undefined);

test.skipIf(process.platform !== 'linux')(
  'the development page is served with live reload and the given homeserver and data',
  async () => {
    const usualData = join(projectRoot, 'data');
    const before = lastChange(usualData);
    const development = develop(['--empty', '--port', '0', '--data-dir', join(root, 'mine')]);
    const chromium = await launchChromium();
    try {
      const link = await development.link;
      expect(development.output).toMatch(/^No window: .* Opening the console in the browser instead\.$/m);
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/#login_token=/);
      const page = await chromium.newPage();
      page.setDefaultTimeout(patience);
      const connected = page.waitForEvent('console', (message) =>
        message.text().includes('[vite] connected'),
      );
      await page.goto(link);
      await connected;
      expect(await page.content()).toContain('/console/@vite/client');
      // Signed in: its requests are forwarded to the homeserver.
      await page.getByRole('link', { name: 'Reports', exact: true }).first().waitFor();
      const versions = await page.request.get(new URL('/_chat/client/versions', link).href);
      expect(versions.status()).toBe(200);
      expect(existsSync(join(root, 'mine/homeserver.db'))).toBe(true);

      await page.evaluate(() => Object.assign(window, { before: true }));
      const script = join(projectRoot, 'renderer/main.tsx');
      const { atime, mtime } = statSync(script);
      utimesSync(script, new Date(), new Date());
      await page.waitForFunction(() => !('before' in window));
      utimesSync(script, atime, mtime);
      expect(lastChange(usualData)).toBe(before);
    } finally {
      await chromium.close();
      development.child.kill('SIGTERM');
    }
    await development.ended;
    expect(development.output).not.toContain('sample data');
    // The homeserver shut down cleanly.
    expect(existsSync(join(root, 'mine/homeserver.db-wal'))).toBe(false);
  },
);

test.each([
  [['--port=http'], 1, /^gatehouse: --port.*not a port/],
  [['--browser'], 2, /^gatehouse: .*\nUsage: npm run dev -- \[--empty\] \[--data-dir DIR\] \[--port N\]\n$/],
])('%s is refused in one line', async (args, code, said) => {
  const development = develop(args);
  expect(await development.ended).toBe(code);
  expect(development.output).toMatch(said);
});
