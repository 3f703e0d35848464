/** Build settings of the console: code splitting and precompressed files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite';

/** Writes Brotli and gzip copies of the files, so that the server doesn't compress them on request. */
export const precompress: Plugin = {
  name: 'precompress',
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

/** Marks TypeBox's schema builders as free of side effects, so that unused schemas are tree-shaken. */
export const annotatePureSchemas: Plugin = {
  name: 'annotate-pure-schemas',
  apply: 'build',
  enforce: 'post',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /[\\/](shared|renderer)[\\/].*\.tsx?$/, code: /from 'typebox'|from "typebox"/ },
    handler: (code) => ({
      code: code.replaceAll(/(?<![\w.`'"])(Type\.\w+|Nullable|Dictionary)\(/g, '/* @__PURE__ */ $1('),
      map: null,
    }),
  },
};

const packageModules = /[\\/]node_modules[\\/]/;
const widgetModules = /[\\/]node_modules[\\/]@(mantine|floating-ui|tabler|tanstack[\\/](react-)?query)/;
const reportModules = /[\\/]renderer[\\/]features[\\/]reports/;
const eventModules = /[\\/]renderer[\\/](components[\\/](event|media)|subjects[\\/](?!media))/;
const tableModules =
  /[\\/]renderer[\\/](components[\\/](table|plot)|subjects[\\/]media[\\/]|features[\\/]users[\\/]user-columns)/;
const isScreenModule = (id: string) =>
  /[\\/](renderer|shared[\\/]team)[\\/]/.test(id) && !tableModules.test(id);
const consoleModules = /[\\/](renderer|shared)[\\/](?!main\.tsx|index\.html|.*\.po$)/;

/**
 * Puts the modules that the report list imports in their own chunk, so that no other screen's modules load with them.
 */
const reportListChunk = () => {
  const screen = join(import.meta.dirname, '../renderer/features/reports/ReportsScreen.tsx');
  const imported = new Set<string>();
  return (id: string, modules: Rolldown.ChunkingContext): string | null => {
    const add = (module: string) => {
      for (const next of [...(modules.getModuleInfo(module)?.importedIds ?? [])]) {
        if (imported.has(next)) continue;
        imported.add(next);
        add(next);
      }
    };
    if (imported.size === 0) add(screen);
    return imported.has(id) ? 'report-list' : null;
  };
};

/**
 * Chunks for the first page, shared chunks, and one chunk per screen. A module is in the first group that it matches.
 */
export const consoleChunks: EnvironmentOptions = {
  build: {
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'react',
              tags: ['$initial'],
              test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
            },
            { name: 'mantine', tags: ['$initial'], test: widgetModules },
            { name: 'packages', tags: ['$initial'], test: packageModules },
            { name: 'console', tags: ['$initial'], test: consoleModules },
            { name: 'widgets', minShareCount: 2, test: widgetModules },
            { name: reportListChunk() },
            { name: 'reports', minShareCount: 2, test: reportModules },
            { name: 'events', minShareCount: 2, test: eventModules },
            { name: 'screens', minShareCount: 2, test: isScreenModule },
            { name: 'tables', minShareCount: 2, test: tableModules },
          ],
        },
      },
    },
  },
};
