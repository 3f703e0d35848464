/** The shell's bundles, built once for a test run, beside a page that is small enough to know by heart. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBuilder } from 'vite';

const root = join(import.meta.dirname, '../..');

/** Inside the project, so that the bundles find their packages. */
export const builtShell = join(root, 'dist/test-shell');

export default async function buildShell(): Promise<void> {
  rmSync(builtShell, { recursive: true, force: true });
  const build = { outDir: join(builtShell, 'electron') };
  const builder = await createBuilder({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'renderer'),
    logLevel: 'warn',
    environments: { shell: { build }, preload: { build } },
  });
  for (const name of ['shell', 'preload']) {
    const environment = builder.environments[name];
    if (environment) await builder.build(environment);
  }
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
