/** The packages that a bundle can't take in: they bring binaries and pages, and stand beside it as files. */
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../launch/build.ts';

/** Where a package stands, from the project's root on, and what its own package.json says. */
type NodePackage = { path: string; name: string; version: string; licence: string };

/** What the bundles of the desktop app load as packages; with what these need in turn. */
const apart = ['better-sqlite3', '@cf-wasm/photon', 'pg', '@fastify/swagger', '@fastify/swagger-ui'];

type Locked = { version: string; license?: string; dependencies?: Record<string, string> };

/** By path, from the project's root on. */
export function lockedPackages(): Record<string, Locked> {
  return JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).packages;
}

/** Every package that has to be there, as `package-lock.json` has them. */
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

/** The typefaces: the bundles have their files, but no module of theirs. */
export const fontPackages = (): NodePackage[] =>
  Object.entries(lockedPackages()).flatMap(([path, { version, license = 'unknown' }]) => {
    const [, name] = /^node_modules\/(@fontsource-variable\/.+)$/.exec(path) ?? [];
    return name ? [{ path, name, version, licence: license }] : [];
  });

/** As Node looks for it: beside the package that asks, then further and further out. */
function installedPath(packages: Record<string, Locked>, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}

const neededBinary = (platform: string, arch: string) => `${platform}-${arch}.node`;

/** Nothing runs these. */
const leftOut =
  /(\.(map|ts|mts|cts|md|markdown|c|cpp|h|gyp|yml|tsbuildinfo|flow)|^(\..*|tests?|examples?|benchmarks?|docs|deps|src|types|AUTHORS|Makefile))$/;
/** Builds of a package for elsewhere than Node, and pages of it that nothing links to. */
const forElsewhere: Record<string, RegExp> = {
  yaml: /^browser$/,
  'lru-cache': /^(browser|react-native)$/,
  // The server takes the part that is given its code as a file.
  '@cf-wasm/photon': /^(node|edge-light|workerd|photon_rs_bg\.wasm\.inline)\.js$/,
  '@fastify/swagger-ui': /^swagger-ui\.js$/,
};
/** These are what a package is under, and what it is. */
export const licenceFile = /^(licen[cs]e|notice|copying)/i;

/** Copies a package without its sources, tests, types, and without binaries of other platforms. */
export function copyPackage({ path, name }: NodePackage, app: string, platform: string, arch: string): void {
  const source = join(projectRoot, path);
  // Not at the root: electron-builder leaves out what it did not put there by itself.
  cpSync(source, join(app, 'dist', path), {
    recursive: true,
    dereference: true,
    filter(file) {
      if (file === source) return true;
      const entry = basename(file);
      if (entry === 'node_modules') return false;
      // Sources of the packages that are nothing but sources.
      if (entry === 'src' && name !== 'better-sqlite3') return true;
      if (entry.endsWith('.node')) return entry === neededBinary(platform, arch);
      return licenceFile.test(entry) || !(leftOut.test(entry) || forElsewhere[name]?.test(entry));
    },
  });
}
