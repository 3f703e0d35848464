/** The desktop shell: main process, preload script and tray icon. */
import { readFileSync } from 'node:fs';
import type { EnvironmentOptions, Plugin } from 'vite';
import { fromRoot, licences } from './paths.ts';

/** A part of the desktop shell, in one bundle with all that it imports but Electron itself. */
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

const drawnMark = 'virtual:mark.png';

/** How much denser than usual displays are, as far as systems offer it. */
const trayScales = [1, 1.25, 1.5, 2, 3];

/** The app's mark for the system's tray, which takes no drawings: pictures in the script, as data addresses. */
export const drawMark: Plugin = {
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
