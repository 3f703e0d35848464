/** Packages that can't be bundled, because they have binaries and pages: they are copied as files. */
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../launch/build.ts';

/** The package's path from the project's root, and its package.json. */
type NodePackage = { path: string; name: string; version: string; licence: string };

/** Packages that the desktop bundles load at runtime, with their dependencies. */
const apart = ['better-sqlite3', '@cf-wasm/photon', 'pg', '@fastify/swagger', '@fastify/swagger-ui'];

type Locked = { version: string; license?: string; dependencies?: Record<string, string> };

/** By path from the project's root. */
export function lockedPackages(): Record<string, Locked> {
  return JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).packages;
}

/** All production packages in `package-lock.json`. */
export function packagesApart(): NodePackage[] {
  const packages = lockedPackages();
  const found = new Map<string, NodePackage>();
  const add = (name: string, from: string) => {
    const path = installedPath(packages, name, from);
    const locked = path === undefined ? undefined : packages[path];
    if (path === undefined || !locked)
      throw new Error(`${name}, required by ${from}, is missing from package-lock.json`);
    if (found.has(path)) return;
    found.set(path, { path, name, version: locked.version, licence: locked.license ?? 'unknown' });
    for (const needed of Object.keys(locked.dependencies ?? {})) add(needed, path);
  };
  for (const name of apart) add(name, '');
  return [...found.values()].sort((a, b) => a.path.localeCompare(b.path));
}

/** Fonts: the bundles have their files, but no modules. */
export const fontPackages = (): NodePackage[] =>
  Object.entries(lockedPackages()).flatMap(([path, { version, license = 'unknown' }]) => {
    const [, name] = /^node_modules\/(@fontsource-variable\/.+)$/.exec(path) ?? [];
    return name ? [{ path, name, version, licence: license }] : [];
  });

/** As Node resolves it: beside the requiring package, then in parent folders. */
function installedPath(packages: Record<string, Locked>, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}

const neededBinary = (platform: string, arch: string) => `${platform}-${arch}.node`;

/** Never executed. */
const leftOut =
  /(\.(map|ts|mts|cts|md|markdown|c|cpp|h|gyp|yml|tsbuildinfo|flow)|^(\..*|tests?|examples?|benchmarks?|docs|deps|src|types|AUTHORS|Makefile))$/;
/** Builds for other platforms than Node, and unused pages. */
const forElsewhere: Record<string, RegExp> = {
  yaml: /^browser$/,
  'lru-cache': /^(browser|react-native)$/,
  // The server loads the variant that takes its code as a file.
  '@cf-wasm/photon': /^(node|edge-light|workerd|photon_rs_bg\.wasm\.inline)\.js$/,
  '@fastify/swagger-ui': /^swagger-ui\.js$/,
};
/** These are the license and the manifest. */
export const licenceFile = /^(licen[cs]e|notice|copying)/i;

/** Copies a package without sources, tests, types and other platforms' binaries. */
export function copyPackage({ path, name }: NodePackage, app: string, platform: string, arch: string): void {
  const source = join(projectRoot, path);
  // Not at the root, because electron-builder excludes unknown files there.
  cpSync(source, join(app, 'dist', path), {
    recursive: true,
    dereference: true,
    filter(file) {
      if (file === source) return true;
      const entry = basename(file);
      if (entry === 'node_modules') return false;
      // Source folders of packages that only consist of sources.
      if (entry === 'src' && name !== 'better-sqlite3') return true;
      if (entry.endsWith('.node')) return entry === neededBinary(platform, arch);
      return licenceFile.test(entry) || !(leftOut.test(entry) || forElsewhere[name]?.test(entry));
    },
  });
}
