import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressedCopies, consoleChunks, pureSchemas } from './bundles/console.ts';
import { fromRoot, licences } from './bundles/paths.ts';
import { compareWithoutCompiling, loadWhenUsed, server } from './bundles/server.ts';
import { drawMark, shell } from './bundles/shell.ts';

export default defineConfig({
  root: 'renderer',
  base: '/console/',
  plugins: [
    react(),
    ...lingui(),
    loadWhenUsed,
    compareWithoutCompiling,
    drawMark,
    pureSchemas,
    compressedCopies,
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
