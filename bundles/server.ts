/** Build settings of the homeserver, for the command line and for the desktop app. */
import type { EnvironmentOptions, Plugin } from 'vite';
import { fromRoot, licences } from './paths.ts';

/** Vite environments that contain the server. */
const serverBundles = ['commandLine', 'desktopServer'];

/**
 * Node's modules that take long to load. An ESM import reads all exports: for `node:http`, that loads an unused
 * WebSocket client. Fastify imports `node:https` and `node:http2`, and Commander `node:child_process`, without using
 * them here.
 */
const slowModules: Record<string, (id: string) => string> = {
  'node:http': exportPlainProperties,
  'node:https': exportLazyStubs,
  'node:http2': exportLazyStubs,
  'node:child_process': exportLazyStubs,
};

const loaded = (id: string) => `globalThis.process.getBuiltinModule('${id}')`;

/** Re-exports the plain properties of a module. Getters would load further modules. */
function exportPlainProperties(id: string): string {
  const exported = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(id) ?? {}));
  const names = exported.filter(([, property]) => 'value' in property).map(([name]) => name);
  return `export const { ${names.join(', ')} } = ${loaded(id)};`;
}

/** Exports a stub for each function and class, which loads the module when it's called. */
function exportLazyStubs(id: string): string {
  const exported: [string, unknown][] = Object.entries(process.getBuiltinModule(id) ?? {});
  const names = exported.filter(([, value]) => typeof value === 'function').map(([name]) => name);
  const calls = names.map((name) => {
    const called = `(${loaded(id)}.${name})(...options)`;
    return `export function ${name}(...options) { return ${/^[A-Z]/.test(name) ? 'new ' : ''}${called}; }`;
  });
  return [...calls, `export default { ${names.join(', ')} };`].join('\n');
}

/** An import of one of Node's modules, as Rolldown writes it. */
const nodeImport = /^import (?:([\w$]+)(?:, | ))?(?:\{(.*)\} )?from "(node:[\w/]+)";$/gm;

/**
 * Reads only the used exports of Node's modules, and loads the slow ones on demand. An ESM import would read all
 * exports and run their getters, such as the one that creates Web Crypto.
 */
export const lazyNodeModules: Plugin = {
  name: 'lazy-node-modules',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => serverBundles.includes(name),
  resolveId: (id) => (id in slowModules ? `\0${id}` : undefined),
  load: (id) => slowModules[id.slice(1)]?.(id.slice(1)),
  renderChunk: (code) => ({
    code: code.replace(nodeImport, (_, whole: string | undefined, parts: string | undefined, id: string) =>
      [whole, parts && `{${parts.replaceAll(' as ', ': ')}}`]
        .map((names) => (names ? `const ${names} = ${loaded(id)};` : ''))
        .join(''),
    ),
    map: null,
  }),
};

/** Where find-my-way compiles a function that matches the prefix of a route. */
const compiledMatcher = /return new Function\('path', 'i', .*/;

/** Replaces the functions that find-my-way compiles for each route. They slow down the startup and are no faster. */
export const uncompiledRouter: Plugin = {
  name: 'uncompiled-router',
  applyToEnvironment: ({ name }) => serverBundles.includes(name),
  transform: {
    filter: { id: /find-my-way[\\/]lib[\\/]node\.js$/ },
    handler(code) {
      if (!compiledMatcher.test(code)) throw new Error('find-my-way has changed: update uncompiledRouter');
      return {
        code: code.replace(compiledMatcher, 'return (path, i) => path.startsWith(prefix, i);'),
        map: null,
      };
    },
  },
};

/**
 * Escapes non-ASCII characters: with a single one, V8 stores the whole file with two bytes per character. Keeps lines
 * and names for stack traces.
 */
const asciiOutput = {
  compress: false,
  mangle: false,
  codegen: { removeWhitespace: false, asciiOnly: true },
};

/** Packages that aren't bundled: they contain binaries or pages, or are rarely needed. */
const externalPackages = /^(better-sqlite3|@cf-wasm\/|pg$|@fastify\/(swagger|swagger-ui)$)/;

/**
 * Chunks by the modules that they contain, with all that those import except modules of earlier chunks. A few large
 * chunks load faster than sixty small ones. Commands that serve no requests don't load the last.
 */
const serverChunks: Record<string, readonly string[]> = {
  command: [
    'node_modules/commander/',
    'config/configuration-error.ts',
    'core/matrix-error.ts',
    'shared/dialect.ts',
    'workbench/jwt.ts',
  ],
  images: ['media/thumbnail-size.ts', 'media/image-header.ts'],
  commands: [
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

/** Bundles a program with the modules that the server loads at startup: few files load faster than a thousand. */
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
      external: externalPackages,
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: {
          groups: Object.entries(serverChunks).map(([name, parts], index, { length }) => ({
            name,
            test: (module: string) => parts.some((part) => module.replaceAll('\\', '/').includes(part)),
            priority: length - index,
          })),
        },
        minify: asciiOutput,
        comments: false,
      },
    },
  },
});
