/** The folder that is packed: the bundles, the console, and the few packages that no bundle can take in. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../launch/build.ts';
import { copyPackage, packagesApart } from './node-packages.ts';

/** Fills an empty folder for one platform, named as Node names it. */
export function fillAppFolder(app: string, platform: string, arch: string): void {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  for (const part of ['electron', 'renderer']) {
    cpSync(join(projectRoot, 'dist', part), join(app, 'dist', part), {
      recursive: true,
      // The app reads the console from its own files, as they are.
      filter: (file) => basename(file) !== '.vite' && !/\.(map|br|gz)$/.test(file),
    });
  }
  for (const found of packagesApart()) copyPackage(found, app, platform, arch);
  // Without its dependencies and scripts: what is needed is there already.
  const { dependencies, devDependencies, scripts, bin, allowScripts, engines, ...manifest } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );
  writeFileSync(join(app, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
