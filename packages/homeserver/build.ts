/** `npm run build:package`: builds the npm package in dist/package, and its tarball in dist. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildCommandLine, projectRoot } from '../../electron/launch/build.ts';

/** Packages that aren't bundled: `externalPackages` in bundles/server.ts. */
const dependencies = ['@cf-wasm/photon', '@fastify/swagger', '@fastify/swagger-ui', 'better-sqlite3', 'pg'];

/** Builds the package and returns its folder. @throws Error with the output of a failed step */
export function buildPackage(folder = join(projectRoot, 'dist/package')): string {
  buildCommandLine();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const source = join(projectRoot, 'packages/homeserver');
  run(join(projectRoot, 'node_modules/.bin/tsc'), [
    ...['--ignoreConfig', '--declaration', '--target', 'es2022', '--lib', 'es2022,dom'],
    ...['--module', 'nodenext', '--types', 'node', '--strict', '--skipLibCheck', '--removeComments', 'false'],
    ...['--rootDir', source, '--outDir', folder, join(source, 'index.ts')],
  ]);
  cpSync(join(projectRoot, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(projectRoot, 'dist/server'), join(folder, 'dist/server'), {
    recursive: true,
    // The compile cache belongs to one version of Node.
    filter: (path) => !/[\\/](compiled|\.vite)$/.test(path),
  });
  cpSync(join(projectRoot, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(source, 'README.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'ThirdPartyNotices.txt'), notices());
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description(), null, 2)}\n`);
  return folder;
}

type Project = {
  version: string;
  license: string;
  author: string;
  homepage: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

function description() {
  const project: Project = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const { version, license, author, homepage } = project;
  return {
    name: '@gatehouse/homeserver',
    version,
    description: 'Matrix homeserver for tests of clients, bots and bridges',
    keywords: ['matrix', 'homeserver', 'test', 'synapse', 'fixture', 'mock'],
    ...{ license, author, homepage },
    type: 'module',
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
    types: './index.d.ts',
    bin: { gatehouse: 'bin/gatehouse.js' },
    engines: { node: '>=20' },
    dependencies: Object.fromEntries(dependencies.map((name) => [name, project.dependencies[name]])),
    scripts: { postinstall: 'node bin/node-program.cjs' },
    gatehouse: { node: project.devDependencies.node },
  };
}

/** Licenses of the packages in the bundle. */
function notices(): string {
  type Bundled = { name: string; version: string; identifier: string | null; text: string | null };
  const file = join(projectRoot, 'dist/server/.vite/server.licences.json');
  const bundled: Bundled[] = JSON.parse(readFileSync(file, 'utf8'));
  const parts = bundled.map(
    ({ name, version, identifier, text }) =>
      `${name} ${version}\nLicense: ${identifier ?? 'unknown'}\n\n${(text ?? '').trim()}\n`,
  );
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Packs the folder and returns the path of the tarball. */
function packPackage(folder: string, into = join(projectRoot, 'dist')): string {
  const [packed]: { filename: string }[] = JSON.parse(
    run('npm', ['pack', '--json', '--pack-destination', into, folder]),
  );
  return join(into, packed?.filename ?? '');
}

function run(program: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: projectRoot,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw error ?? new Error(`${program} failed:\n${stdout}${stderr}`);
  return stdout;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${packPackage(buildPackage())}\n`);
}
