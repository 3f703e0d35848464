/** Build settings of the console: its chunks, and compressed copies of its files. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { EnvironmentOptions, Plugin, Rolldown } from 'vite';

/** Writes compressed copies of the files at build time, so that the server doesn't compress them for each request. */
export const compressedCopies: Plugin = {
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

/** Lets schemas that the console doesn't use be left out: builders of schemas have no side effects. */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
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

const ofPackages = /[\\/]node_modules[\\/]/;
const ofWidgets = /[\\/]node_modules[\\/]@(mantine|floating-ui|tabler|tanstack[\\/](react-)?query)/;
const ofReports = /[\\/]renderer[\\/]features[\\/]reports/;
const ofEvents = /[\\/]renderer[\\/](components[\\/](event|media)|subjects[\\/](?!media))/;
const ofTables =
  /[\\/]renderer[\\/](components[\\/](table|plot)|subjects[\\/]media[\\/]|features[\\/]users[\\/]user-columns)/;
const ofScreens = (id: string) => /[\\/](renderer|shared[\\/]team)[\\/]/.test(id) && !ofTables.test(id);
const ofConsole = /[\\/](renderer|shared)[\\/](?!main\.tsx|index\.html|.*\.po$)/;

/** Puts what the list of reports imports in a chunk of its own, so that no other screen's modules load with it. */
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

/** The chunks: those of the first page, those that screens share, and one per screen. A module is in the first group that it matches. */
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
            { name: 'mantine', tags: ['$initial'], test: ofWidgets },
            { name: 'packages', tags: ['$initial'], test: ofPackages },
            { name: 'console', tags: ['$initial'], test: ofConsole },
            { name: 'widgets', minShareCount: 2, test: ofWidgets },
            { name: reportListChunk() },
            { name: 'reports', minShareCount: 2, test: ofReports },
            { name: 'events', minShareCount: 2, test: ofEvents },
            { name: 'screens', minShareCount: 2, test: ofScreens },
            { name: 'tables', minShareCount: 2, test: ofTables },
          ],
        },
      },
    },
  },
};
