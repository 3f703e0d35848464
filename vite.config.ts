import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import type { EnvironmentOptions, Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { patience } from './test/patience.ts';
import { onBothEngines, onSqliteAlone } from './test/server/both-engines.ts';

/** Tests that write to the disk need not wait for it where there is enough memory to stand for one. */
const memory = '/dev/shm';
const roomNeeded = 2 * 1024 ** 3;
const hasMemoryDisk = () => {
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= roomNeeded;
};
const temporary = existsSync(memory) && hasMemoryDisk() ? memory : tmpdir();
const env: Record<string, string> = {
  TMPDIR: temporary,
  // What a test's programs compile to is kept for the next one, which reads much of the same TypeScript.
  NODE_COMPILE_CACHE: join(temporary, 'node-compile-cache'),
};

const project = (name: string, timeout: number, globalSetup: string[] = []) => ({
  extends: false as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    env,
    // One more than there are cores: with each test's servers and browsers that is enough to do for all of them.
    maxWorkers: availableParallelism() + 1,
    testTimeout: timeout,
    expect: { poll: { timeout: patience } },
    hookTimeout: 60_000,
    globalSetup,
  },
});

/**
 * One whose files share the modules of their process: to load the server again for each file costs a third of the
 * run. Nothing in `server/` and `shared/` keeps anything for the process that a test could meet.
 */
const sharingModules = ({ test, ...rest }: ReturnType<typeof project>) => ({
  ...rest,
  test: { ...test, isolate: false },
});

/** Clients of others that talk to this server, on both engines. */
const clients = 'test/clients/**/*.test.ts';

const withCheapPasswords = ({ test, ...rest }: ReturnType<typeof sharingModules>) => ({
  ...rest,
  test: { ...test, setupFiles: 'test/server/cheap-passwords.ts' },
});

const ownTests = withCheapPasswords(sharingModules(project('server', 90_000, ['test/server/build.ts']))).test;
const onSqlite = {
  extends: false as const,
  test: { ...ownTests, include: [...ownTests.include, clients] },
};

/** The server's endpoints once more, on a real PostgreSQL. */
const onPostgres = {
  extends: false as const,
  test: {
    ...onSqlite.test,
    name: 'postgres',
    include: onBothEngines
      .map((part) => (part.endsWith('.ts') ? `test/server/${part}` : `test/server/${part}/**/*.test.ts`))
      .concat(clients),
    exclude: [`**/*${onSqliteAlone}`],
    globalSetup: [...onSqlite.test.globalSetup, 'test/postgres.ts'],
  },
};

const fromRoot = (path: string) => resolve(import.meta.dirname, path);

/** Whose code is in a bundle, with the licence that it comes under: what the packages' notices are made from. */
const licences = (name: string) => ({ fileName: `.vite/${name}.licences.json` });

/** A part of the desktop shell, in one bundle with all that it imports but Electron itself. */
const shell = (
  entries: Record<string, string>,
  format: 'es' | 'cjs',
  emptyOutDir: boolean,
): EnvironmentOptions => ({
  consumer: 'server',
  keepProcessEnv: true,
  resolve: { noExternal: true },
  build: {
    license: licences(format),
    outDir: fromRoot('dist/electron'),
    emptyOutDir,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: entries,
      platform: 'node',
      // It brings a binary, and is needed where a backup is restored.
      external: ['electron', 'better-sqlite3'],
      output: {
        format,
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
});

/**
 * One file of everything that is there before the first screen: as the bundler would cut it, it is eighty, and each
 * costs a request. The entry stays by itself, for Vite knows the page's script by it.
 */
const firstLoad = {
  name: 'first',
  tags: ['$initial' as const],
  test: (module: string) => !/\/(main\.tsx|index\.html)$/.test(module),
};

/** A part of modules' paths, with `/` between folders, or a pattern of it. */
type Named = string | RegExp;

const isNamed = (module: string, names: readonly Named[]) => {
  const path = module.replaceAll('\\', '/');
  return names.some((name) => (typeof name === 'string' ? path.includes(name) : name.test(path)));
};

/** What a route asks the server for before its screen is there, and the reports ask for as well, is no part of the table. */
const besideTheTable = ['paged-rows', 'SearchField', 'ListScreen.module', 'cells'];

/**
 * What several screens have some of, in one file each. The bundler would make a file of every few lines that another
 * number of screens needs, and a request costs more than the lines that one of these screens reads for nothing.
 */
const together: Record<string, readonly Named[]> = {
  /** What every long list is drawn with, be it a table or not. */
  rows: ['@tanstack/react-virtual/', '@tanstack/virtual-core/', 'table/ListSkeleton.'],
  /** The table of every list, with what it is made of. */
  list: [new RegExp(`components/table/(?!${besideTheTable.join('|')})`)],
  /** The lists of reports have it as well as the tables, of which they need nothing else. */
  lists: ['components/WidthEdge.', 'components/pasted-id.', 'table/SearchField.', 'table/ListScreen.module.'],
  /** Every screen can grow old, and pages have parts; what is neither, such as an action's panel, has no use for it. */
  page: ['components/NotUpToDate.', 'subjects/Loaded.'],
  progress: [/@mantine\/core\/.*Progress/],
  mutation: ['useMutation.', 'useMutationState.', 'mutationObserver.'],
  sisters: ['components/SisterScreens.', 'components/PageTabs.module.', 'components/SampleDataHint.'],
  /** What is told of a person, a room or an event wherever they are shown. */
  detail: [
    'components/Folded.',
    'components/FoldedText.',
    'components/Disclosure.',
    'event/read-json.',
    'event/RemoteImage.',
    'event/Said.',
    'event/EventView.module.',
    'subjects/Facts.',
  ],
  person: [
    'subjects/use-user-rooms.',
    'subjects/ReportCounts.',
    'api/user-devices.',
    'api/filed-report-total.',
  ],
  event: [
    'event/EventView.tsx',
    'event/message-content.',
    'event/answer-quote.',
    'event/place.',
    'event/place-in-conversation.',
    'event/PlainBody.',
    'event/poll-content.',
    'event/ContentChanges.',
    'event/content-changes.',
    'api/event-context.',
  ],
  report: [
    'reports/Severity.',
    'reports/SoughtWords.',
    'reports/first-line.',
    'reports/desk/Row.',
    'reports/desk/StateSign.',
    'reports/desk/MarkButtons.',
    'reports/desk/ListHeading.module.',
    'reports/rows/excerpt.',
    'reports/detail/ReportDetail.module.',
    'reports/detail/ReportDetailSkeleton.',
    'team/Lookers.',
    'api/report-walk.',
    'api/report-order.',
  ],
  team: [
    'team/Timeline.',
    'team/TeamNotice.',
    'team/TeamSharing.',
    'team/use-offer-later.',
    'actions/action-name.',
  ],
  jobs: [
    'actions/jobs/job.ts',
    'actions/jobs/job-store.ts',
    'actions/new-id.ts',
    'components/work-of-the-page.',
  ],
};

/** What nearly every screen has some of, in one file: a button's icon isn't worth a request of its own. */
const small = {
  name: 'small',
  minShareCount: 12,
  maxModuleSize: 4_000,
  test: (module: string) => !Object.values(together).some((names) => isNamed(module, names)),
};

const groupsOf = (named: Record<string, readonly Named[]>) =>
  Object.entries(named).map(([name, names]) => ({ name, test: (module: string) => isNamed(module, names) }));

const groupsTogether = groupsOf(together).map((group) => ({
  ...group,
  includeDependenciesRecursively: false,
}));

/** The icons that fewer screens have. */
const icons = { name: 'icons', minShareCount: 10, test: /@tabler[\\/]icons-react/ };

/**
 * Modules of Node that take long to load. To import one as ECMAScript modules do reads everything that it exports:
 * `node:http` then loads a whole client that nobody uses here. Fastify takes the next two, for servers that this
 * one makes itself; the command line the last, to run commands that are programs of their own.
 */
const slowModules: Record<string, (id: string) => string> = {
  'node:http': whatIsThere,
  'node:https': callsOf,
  'node:http2': callsOf,
  'node:child_process': callsOf,
};

const loaded = (id: string) => `globalThis.process.getBuiltinModule('${id}')`;

/** Everything that a module has from its beginning, and nothing that it loads when that is read. */
function whatIsThere(id: string): string {
  const exported = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(id) ?? {}));
  const names = exported.filter(([, property]) => 'value' in property).map(([name]) => name);
  return `export const { ${names.join(', ')} } = ${loaded(id)};`;
}

/** Every function and class, each of which loads its module when it is called. */
function callsOf(id: string): string {
  const exported: [string, unknown][] = Object.entries(process.getBuiltinModule(id) ?? {});
  const names = exported.filter(([, value]) => typeof value === 'function').map(([name]) => name);
  const calls = names.map((name) => {
    const called = `(${loaded(id)}.${name})(...options)`;
    return `export function ${name}(...options) { return ${/^[A-Z]/.test(name) ? 'new ' : ''}${called}; }`;
  });
  return [...calls, `export default { ${names.join(', ')} };`].join('\n');
}

const drawnMark = 'virtual:mark.png';

/** How much denser than usual displays are, as far as systems offer it. */
const trayScales = [1, 1.25, 1.5, 2, 3];

/** The app's mark for the system's tray, which takes no drawings: pictures in the script, as data addresses. */
const drawMark: Plugin = {
  name: 'draw-mark',
  applyToEnvironment: ({ name }) => name === 'shell',
  resolveId: (id) => (id === drawnMark ? `\0${id}` : undefined),
  async load(id) {
    if (id !== `\0${drawnMark}`) return undefined;
    const { Resvg } = await import('@resvg/resvg-js');
    const svg = readFileSync(fromRoot('renderer/mark.svg'), 'utf8');
    const drawn = trayScales.map((scaleFactor) => {
      const width = 16 * scaleFactor;
      const png = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();
      return {
        scaleFactor,
        width,
        height: width,
        dataURL: `data:image/png;base64,${png.toString('base64')}`,
      };
    });
    return `export default ${JSON.stringify(drawn)};`;
  },
};

/** Compressed once, here, and not for everyone who asks: what a server gives a browser that takes it so. */
const compressedCopies: Plugin = {
  name: 'compressed-copies',
  apply: 'build',
  applyToEnvironment: ({ name }) => name === 'client',
  async writeBundle({ dir = '' }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!/\.(js|css|html|svg)$/.test(name)) continue;
      const content = file.type === 'chunk' ? file.code : file.source;
      await Promise.all([
        promisify(brotliCompress)(content).then((br) => writeFile(join(dir, `${name}.br`), br)),
        promisify(gzip)(content, { level: 9 }).then((gz) => writeFile(join(dir, `${name}.gz`), gz)),
      ]);
    }
  },
};

/** How the bundler writes the import of a module of Node. */
const importOfNode = /^import (?:([\w$]+)(?:, | ))?(?:\{(.*)\} )?from "(node:[\w/]+)";$/gm;

/**
 * Loads modules of Node when they are used, and no more of them than that. An import reads everything that a module
 * exports, of which some is made when it is read, such as a second interface to all cryptography.
 */
const loadWhenUsed: Plugin = {
  name: 'load-when-used',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => serverBundles.includes(name),
  resolveId: (id) => (id in slowModules ? `\0${id}` : undefined),
  load: (id) => slowModules[id.slice(1)]?.(id.slice(1)),
  renderChunk: (code) => ({
    code: code.replace(importOfNode, (_, whole: string | undefined, parts: string | undefined, id: string) =>
      [whole, parts && `{${parts.replaceAll(' as ', ': ')}}`]
        .map((names) => (names ? `const ${names} = ${loaded(id)};` : ''))
        .join(''),
    ),
    map: null,
  }),
};

/** How the router compiles what compares a request's path with a part of a route's. */
const compiledComparison = /return new Function\('path', 'i', .*/;

/**
 * A function for each part of each route's path takes a part of the start to compile, and is no faster than one that
 * all of them share.
 */
const compareWithoutCompiling: Plugin = {
  name: 'compare-without-compiling',
  applyToEnvironment: ({ name }) => serverBundles.includes(name),
  transform: {
    filter: { id: /find-my-way[\\/]lib[\\/]node\.js$/ },
    handler(code) {
      if (!compiledComparison.test(code)) throw new Error('the router compares paths in another way now');
      return {
        code: code.replace(compiledComparison, 'return (path, i) => path.startsWith(prefix, i);'),
        map: null,
      };
    },
  },
};

/**
 * Every character outside of ASCII becomes an escape, and comments go. One such character anywhere has Node keep two
 * bytes in memory for each of the file's, for good. Lines and names stay, which the log shows of an error.
 */
const withoutWideCharacters = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: false, asciiOnly: true },
};

/** Packages that have to stay files of their own: they bring binaries and pages, or are needed rarely. */
const apart = /^(better-sqlite3|@cf-wasm\/|pg$|@fastify\/(swagger|swagger-ui)$)/;

/**
 * A file for each of these with all that it imports, but for what is in an earlier one: to find, read and link the sixty
 * that a start loads otherwise takes a part of it. What serves no requests is done without the last.
 */
const filesOfServers: Record<string, readonly Named[]> = {
  command: [
    'node_modules/commander/',
    'config/configuration-error.ts',
    'core/matrix-error.ts',
    'shared/dialect.ts',
    'workbench/jwt.ts',
  ],
  pictures: ['media/thumbnail-size.ts', 'media/picture-header.ts'],
  beforehand: [
    'commands/plan.ts',
    'commands/jwt.ts',
    'config/load.ts',
    'config/read-settings.ts',
    'backup/pending-change.ts',
  ],
  packages: ['node_modules/fastify/', 'node_modules/kysely/', 'node_modules/pino/'],
  serving: [
    'server/app/homeserver.ts',
    'server/app/commands/serve.ts',
    'server/platform/database/sqlite/sqlite.ts',
    'server/identity/login/jwt.ts',
  ],
};

/** What is named where, by the environment that has all of it. */
const allNames: Record<string, readonly Named[]> = {
  client: Object.values(together)
    .concat(besideTheTable.map((name) => `components/table/${name}`))
    .flat(),
  commandLine: Object.values(filesOfServers).flat(),
};

/** A file that gets another name would leave its group without a word: that fails the build instead. */
const namesAreThere: Plugin = {
  name: 'names-are-there',
  apply: 'build',
  applyToEnvironment: ({ name }) => name in allNames,
  buildEnd(failure) {
    if (failure) return;
    const modules = [...this.getModuleIds()];
    const missing = allNames[this.environment.name]?.filter(
      (name) => !modules.some((module) => isNamed(module, [name])),
    );
    if (missing?.length) {
      this.error(`vite.config.ts groups files by names that none has any more: ${missing.join(', ')}`);
    }
  },
};

/** The environments that make a server. */
const serverBundles = ['commandLine', 'desktopServer'];

/** A program with all that a server needs at its start: to read a few files takes less than to read a thousand. */
const server = (
  program: Record<string, string>,
  outDir: string,
  emptyOutDir: boolean,
): EnvironmentOptions => ({
  consumer: 'server',
  keepProcessEnv: true,
  resolve: { noExternal: true },
  build: {
    license: licences('server'),
    outDir: fromRoot(outDir),
    manifest: false,
    emptyOutDir,
    copyPublicDir: false,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      input: {
        ...program,
        'thumbnail-worker': fromRoot('server/identity/media/thumbnail-worker.ts'),
        'statement-worker': fromRoot('server/administration/backup/statement-worker.ts'),
      },
      platform: 'node',
      external: apart,
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: {
          groups: groupsOf(filesOfServers).map((group, index, { length }) => ({
            ...group,
            priority: length - index,
          })),
        },
        minify: withoutWideCharacters,
        comments: false,
      },
    },
  },
});

export default defineConfig({
  root: 'renderer',
  base: '/console/',
  plugins: [
    react(),
    ...lingui(),
    loadWhenUsed,
    compareWithoutCompiling,
    drawMark,
    compressedCopies,
    namesAreThere,
  ],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    manifest: true,
    // Every browser that the target names has it by itself.
    modulePreload: { polyfill: false },
    license: licences('renderer'),
  },
  // A worker alone imports it: found there for the first time, it would have the page load anew while one works on it.
  optimizeDeps: { include: ['yaml'] },
  // With a builder, `vite build` builds every environment, one after the other.
  builder: {},
  environments: {
    // Here and not above, where it would be the shell's as well.
    client: {
      build: {
        rolldownOptions: {
          output: { codeSplitting: { groups: [firstLoad, small, ...groupsTogether, icons] } },
        },
      },
    },
    shell: shell(
      {
        main: fromRoot('electron/main.ts'),
      },
      'es',
      true,
    ),
    // A sandboxed preload script has to be a single CommonJS file.
    preload: shell({ preload: fromRoot('electron/preload.ts') }, 'cjs', false),
    desktopServer: server(
      { 'homeserver-child': fromRoot('electron/homeserver/homeserver-child.ts') },
      'dist/electron',
      false,
    ),
    commandLine: server({ cli: fromRoot('server/app/cli.ts') }, 'dist/server', true),
  },
  test: {
    root: '.',
    sequence: { sequencer: LongestFirst },
    projects: [
      sharingModules(project('shared', 30_000)),
      onSqlite,
      onPostgres,
      withCheapPasswords(sharingModules(project('renderer', 120_000, ['test/build.ts']))),
      sharingModules(project('electron', 120_000, ['test/build.ts', 'test/electron/build.ts'])),
      sharingModules(project('e2e', 180_000, ['test/build.ts'])),
    ],
  },
});
