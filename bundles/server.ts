/** The homeserver, on its own and inside the desktop app. */
import type { EnvironmentOptions, Plugin } from 'vite';
import { fromRoot, licences } from './paths.ts';

/** The environments that make a server. */
const serverBundles = ['commandLine', 'desktopServer'];

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

/** How the bundler writes the import of a module of Node. */
const importOfNode = /^import (?:([\w$]+)(?:, | ))?(?:\{(.*)\} )?from "(node:[\w/]+)";$/gm;

/**
 * Loads modules of Node when they are used, and no more of them than that. An import reads everything that a module
 * exports, of which some is made when it is read, such as a second interface to all cryptography.
 */
export const loadWhenUsed: Plugin = {
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
export const compareWithoutCompiling: Plugin = {
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
const filesOfServers: Record<string, readonly string[]> = {
  command: [
    'node_modules/commander/',
    'config/configuration-error.ts',
    'core/matrix-error.ts',
    'shared/dialect.ts',
    'workbench/jwt.ts',
  ],
  pictures: ['media/thumbnail-size.ts', 'media/image-header.ts'],
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

/** A program with all that a server needs at its start: to read a few files takes less than to read a thousand. */
export const server = (
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
          groups: Object.entries(filesOfServers).map(([name, parts], index, { length }) => ({
            name,
            test: (module: string) => parts.some((part) => module.replaceAll('\\', '/').includes(part)),
            priority: length - index,
          })),
        },
        minify: withoutWideCharacters,
        comments: false,
      },
    },
  },
});
