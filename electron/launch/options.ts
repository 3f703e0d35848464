/** What `npm start` and `npm run dev` take after `--`. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

const common = {
  empty: { type: 'boolean', default: false },
  'data-dir': { type: 'string' },
  port: { type: 'string' },
} as const;

/** Which homeserver it is, and what is in a new one. */
export type HomeserverOptions = { dataDir: string; port?: number | undefined; empty: boolean };

/**
 * Ends the program where it was given anything else.
 *
 * @param command what was called, and with which other options
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
