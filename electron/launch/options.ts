/** Options of `npm start` and `npm run dev` after `--`. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const common = {
  empty: { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
  port: { type: 'string' },
} as const;

/** The homeserver's data, and the content of a new one. */
export type HomeserverOptions = { dataDir: string; port?: number | undefined; empty: boolean };

/**
 * Exits on unknown options.
 *
 * @param command its name and further options
 */
export function readOptions<Options extends ParseArgsOptionsConfig>(command: string, others: Options) {
  try {
    return parseArgs({ options: { ...common, ...others } }).values;
  } catch (error) {
    const flags = Object.keys(others).map((name) => `[--${name}] `);
    process.stderr.write(
      `gatehouse: ${(error as Error).message}\nUsage: ${command} -- ${flags.join('')}[--empty] [--data-dir DIR] [--port N]\n`,
    );
    process.exit(2);
  }
}
