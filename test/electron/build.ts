/** The built shell beside a page that is small enough to know by heart. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../electron/launch/build.ts';

/** Inside the project, so that the bundles find their packages. */
export const builtShell = join(projectRoot, 'dist/test-shell');

/** Goes after `test/build.ts`, which builds what is copied here. */
export default function copyShell(): void {
  rmSync(builtShell, { recursive: true, force: true });
  cpSync(join(projectRoot, 'dist/electron'), join(builtShell, 'electron'), { recursive: true });
  mkdirSync(join(builtShell, 'renderer/assets'), { recursive: true });
  writeFileSync(join(builtShell, 'renderer/index.html'), page);
  writeFileSync(join(builtShell, 'renderer/assets/page.js'), "document.title = 'Ready';\n");
  writeFileSync(join(builtShell, 'secret.txt'), 'Nobody is served this.\n');
}

const page = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Loading</title></head>
  <body><h1>A page of the console</h1><script type="module" src="/console/assets/page.js"></script></body>
</html>
`;
