/** The folder to package: bundles, console, and the packages that can't be bundled. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../launch/build.ts';
import { copyPackage, packagesApart } from './node-packages.ts';

/** Fills an empty folder for one platform, with Node's name for it. */
export function fillAppFolder(app: string, platform: string, arch: string): void {
  rmSync(app, { recursive: true, force: true });
  mkdirSync(app, { recursive: true });
  for (const part of ['electron', 'renderer']) {
    cpSync(join(projectRoot, 'dist', part), join(app, 'dist', part), {
      recursive: true,
      // The app serves the console from these files.
      filter: (file) => basename(file) !== '.vite' && !/\.(map|br|gz)$/.test(file),
    });
  }
  for (const found of packagesApart()) copyPackage(found, app, platform, arch);
  // Without dependencies and scripts: everything needed is included.
  const { dependencies, devDependencies, scripts, bin, allowScripts, engines, ...manifest } = JSON.parse(
    readFileSync(join(projectRoot, 'package.json'), 'utf8'),
  );
  writeFileSync(join(app, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
