import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { annotatePureSchemas, consoleChunks, precompress } from './bundles/console.ts';
import { fromRoot, licences } from './bundles/paths.ts';
import { lazyNodeModules, server, uncompiledRouter } from './bundles/server.ts';
import { renderTrayIcons, shell } from './bundles/shell.ts';

export default defineConfig({
  root: 'renderer',
  base: '/console/',
  plugins: [
    react(),
    ...lingui(),
    lazyNodeModules,
    uncompiledRouter,
    renderTrayIcons,
    annotatePureSchemas,
    precompress,
  ],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome140',
    manifest: true,
    // All supported browsers have module preloading.
    modulePreload: { polyfill: false },
    license: licences('renderer'),
  },
  // Only a worker imports it: if the development server discovered it there, it would reload the page.
  optimizeDeps: { include: ['yaml'] },
  // With a builder, `vite build` builds all environments.
  builder: {},
  environments: {
    // Not at the top level, where it would apply to the shell.
    client: consoleChunks,
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
});
