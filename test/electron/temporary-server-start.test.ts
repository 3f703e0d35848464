/** A temporary server that fails to start while the local server runs: errors are about the temporary one. */
import { cpSync, globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../electron/launch/build.ts';
import { startApp } from './app.ts';
import { builtShell } from './build.ts';

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
  const dist = mkdtempSync(join(projectRoot, 'dist/doomed-'));
  try {
    cpSync(builtShell, dist, { recursive: true });
    const child = join(dist, 'electron/homeserver-child.js');
    renameSync(child, join(dist, 'electron/real-child.js'));
    writeFileSync(
      child,
      `if (process.argv.some((argument) => argument.includes('temporary-servers'))) { ${script} }
      else await import('./real-child.js');`,
    );
    await using app = await startApp({ dist });
    const outcome = await app.invoke('local-server:start-temporary-server', { name: 'doomed' });
    expect(outcome).toMatchObject({ ok: false, failure: { message: expect.stringMatching(said) } });
    expect(globSync('temporary-servers/*', { cwd: app.profile })).toEqual([]);
    expect(await app.invoke('connections:add-local', undefined)).toMatchObject({ ok: true });
  } finally {
    rmSync(dist, { recursive: true });
  }
});
