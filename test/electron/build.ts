/** The built shell with a minimal page in place of the console. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../electron/launch/build.ts';

/** Inside the project, so that the bundles resolve their packages. */
export const builtShell = join(projectRoot, 'dist/test-shell');

/** The same with an idle local server without data: starting the real one takes most of the startup time. */
export const shellAlone = join(projectRoot, 'dist/test-shell-alone');

/** Runs after `test/build.ts`, which builds the files that are copied here. */
export default function copyShell(): void {
  for (const shell of [builtShell, shellAlone]) {
    rmSync(shell, { recursive: true, force: true });
    cpSync(join(projectRoot, 'dist/electron'), join(shell, 'electron'), { recursive: true });
    mkdirSync(join(shell, 'renderer/assets'), { recursive: true });
    writeFileSync(join(shell, 'renderer/index.html'), page);
    writeFileSync(join(shell, 'renderer/assets/page.js'), "document.title = 'Ready';\n");
    writeFileSync(join(shell, 'secret.txt'), 'Nobody is served this.\n');
  }
  writeFileSync(join(shellAlone, 'electron/homeserver-child.js'), idleServer);
}

const idleServer = `const tell = (message) => process.parentPort.postMessage(message);
process.parentPort.on('message', ({ data }) => {
  if (data.type === 'is-busy') tell({ type: 'answer', id: data.id, value: false });
  if (data.type !== 'stop') return;
  tell({ type: 'stopping', isBusy: false });
  setImmediate(() => process.exit());
});
tell({ type: 'listening', url: 'http://127.0.0.1:9', addresses: [], isOpen: false });
`;

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Loading</title></head>
  <body><h1>A page of the console</h1><script type="module" src="/console/assets/page.js"></script></body>
</html>
`;
