/** A temporary server that fails to start while the local server runs: errors are about the temporary one. */
import { cpSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { type App, startApp } from './app.ts';
import { shellAlone } from './build.ts';

const dist = mkdtempSync(join(projectRoot, 'dist/doomed-'));
const child = join(dist, 'electron/homeserver-child.js');
let app: App;
beforeAll(async () => {
  cpSync(shellAlone, dist, { recursive: true });
  renameSync(child, join(dist, 'electron/idle-child.js'));
  writeFileSync(
    child,
    `const isTemporary = process.argv.some((argument) => argument.includes('temporary-servers'));
     await import(isTemporary ? './doomed-child.js' : './idle-child.js');`,
  );
  app = await startApp({ dist });
});
afterAll(async () => {
  await app?.dispose();
  rmSync(dist, { recursive: true });
});

test.each([
  [
    'crashes at startup',
    'process.exit(3);',
    /^Server doomed crashed at startup \(exit code 3\)\. See the log for details\.$/,
  ],
  [
    'refuses to start',
    "process.parentPort.postMessage({ type: 'start-failed', message: 'there is no room' }); setImmediate(() => process.exit(1));",
    /^Server doomed couldn't start: there is no room$/,
  ],
])('a temporary server that %s is reported by name and leaves nothing', async (_, script, said) => {
  writeFileSync(join(dist, 'electron/doomed-child.js'), script);
  const outcome = await app.invoke('local-server:start-temporary-server', { name: 'doomed' });
  expect(outcome).toMatchObject({ ok: false, failure: { message: expect.stringMatching(said) } });
  expect(globSync('temporary-servers/*', { cwd: app.profile })).toEqual([]);
  expect(await app.invoke('local-server:state', undefined)).toMatchObject({ value: { status: 'running' } });
});
