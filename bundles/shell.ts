/** Build settings of the desktop shell: main process, preload script and tray icon. */
import { readFileSync } from 'node:fs';
import type { EnvironmentOptions, Plugin } from 'vite';
import { fromRoot, licences } from './paths.ts';

/** Bundles a part of the shell with its imports, except Electron. */
export const shell = (
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
      // better-sqlite3 contains a binary. It is needed to restore a backup.
      external: ['electron', 'better-sqlite3'],
      output: {
        format,
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
        chunkFileNames: '[name]-[hash].js',
      },
    },
  },
});

const trayIcons = 'virtual:mark.png';

/** Scale factors of displays that systems offer. */
const trayScales = [1, 1.25, 1.5, 2, 3];

/** Renders the logo as PNG data URLs, because the system tray doesn't support SVG. */
export const renderTrayIcons: Plugin = {
  name: 'render-tray-icons',
  applyToEnvironment: ({ name }) => name === 'shell',
  resolveId: (id) => (id === trayIcons ? `\0${id}` : undefined),
  async load(id) {
    if (id !== `\0${trayIcons}`) return undefined;
    const { Resvg } = await import('@resvg/resvg-js');
    const svg = readFileSync(fromRoot('renderer/mark.svg'), 'utf8');
    const images = trayScales.map((scaleFactor) => {
      const width = 16 * scaleFactor;
      const png = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng();
      return {
        scaleFactor,
        width,
        height: width,
        dataURL: `data:image/png;base64,${png.toString('base64')}`,
      };
    });
    return `export default ${JSON.stringify(images)};`;
  },
};
