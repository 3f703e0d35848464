/** Third-party content of a package: license notices and a bill of materials. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../launch/build.ts';
import { licenceText } from './license-text.ts';
import { fontPackages, packagesApart } from './node-packages.ts';

type Component = { name: string; version: string; licence: string; text: string };

/** For bundled packages and those beside the bundles, by name. */
export function components(): Component[] {
  const inBundles = globSync('dist/{electron,renderer}/.vite/*.licences.json', { cwd: projectRoot }).flatMap(
    (file): { name: string; version: string; identifier: string | null; text: string | null }[] =>
      JSON.parse(readFileSync(join(projectRoot, file), 'utf8')),
  );
  const all = [
    ...inBundles.map(({ identifier, text, ...bundled }) => ({
      ...bundled,
      licence: identifier ?? 'unknown',
      text: text || licenceText(bundled),
    })),
    ...[...packagesApart(), ...fontPackages()].map((found) => ({ ...found, text: licenceText(found) })),
  ];
  const byName = new Map(all.map((component) => [`${component.name}@${component.version}`, component]));
  return [...byName.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/** Returns all license notices as one text. Electron and Chromium bring their own. */
export function notices(inside: readonly Component[]): string {
  const parts = inside.map(
    ({ name, version, licence, text }) => `${name} ${version}\nLicense: ${licence}\n\n${text.trim()}\n`,
  );
  const head = `Gatehouse contains third-party software under the following licenses. The licenses of Electron and Chromium are in
LICENSE.electron.txt and LICENSES.chromium.html.
`;
  return [head, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

type Bom = {
  metadata: { component: { name: string; 'bom-ref': string } };
  components: {
    name: string;
    group?: string;
    version: string;
    'bom-ref': string;
    scope?: string;
    properties?: { name: string }[];
  }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/**
 * Returns a CycloneDX bill of materials: npm's for the whole project, reduced to the package's contents, plus
 * Electron.
 *
 * @throws Error if npm fails or doesn't know a contained package
 */
export function billOfMaterials(inside: readonly Component[]): string {
  const npm = process.env.npm_execpath;
  const [program, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const args = [
    ...first,
    'sbom',
    '--sbom-format=cyclonedx',
    '--sbom-type=application',
    '--package-lock-only',
    '--include=dev',
  ];
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32' && !npm,
  });
  if (status !== 0) throw new Error(`npm couldn't create the bill of materials: ${stderr}`);
  const bom: Bom = JSON.parse(stdout);
  const { name, devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const wanted = new Set([
    ...inside.map(({ name, version }) => `${name}@${version}`),
    `electron@${devDependencies.electron}`,
  ]);
  const isWanted = ({ group, name, version }: Bom['components'][number]) =>
    wanted.has(`${group ? `${group}/` : ''}${name}@${version}`);
  // Includes packages that npm calls development dependencies, because they are bundled.
  const kept = bom.components.filter(isWanted).map(({ scope: _scope, properties = [], ...component }) => ({
    ...component,
    properties: properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
  const missing =
    wanted.size - new Set(kept.map(({ group, name, version }) => `${group}/${name}@${version}`)).size;
  if (missing > 0) throw new Error(`The bill of materials lacks ${missing} of the included packages`);
  // npm uses the name of the folder.
  const component = { ...bom.metadata.component, name };
  const refs = new Set([component, ...kept].map((each) => each['bom-ref']));
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) }));
  return `${JSON.stringify({ ...bom, metadata: { ...bom.metadata, component }, components: kept, dependencies }, null, 2)}\n`;
}
