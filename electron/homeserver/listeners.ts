/** A port as it is written on a command line. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Config } from '../../server/platform/config/config.ts';
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { type Listener, onPort } from '../../server/platform/config/listeners.ts';
import { loadConfig } from '../../server/platform/config/load.ts';

/** @throws ConfigurationError */
export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new ConfigurationError('--port', `'${text}' is not a port`, 'give a number below 65536');
}

/** Where the homeserver in the box listens: as its own configuration says, or else on a free port of this machine. */

/** What stays on this machine, and what listens there among others. */
const onThisMachine = /^(127(\.\d+){3}|localhost|::1|0\.0\.0\.0|::)$/;

/**
 * The configuration of a data directory, whose settings stand in `homeserver.yaml`.
 *
 * @param port goes before what is configured
 * @param settingsFrom file to read in its place, as long as it exists
 * @throws ConfigurationError also where no listener is left that the app itself can use
 */
export async function localConfig(
  dataDir: string,
  port: number | undefined,
  settingsFrom?: string,
): Promise<Config> {
  const settings = join(dataDir, 'homeserver.yaml');
  const text =
    settingsFrom !== undefined && existsSync(settingsFrom) ? await readFile(settingsFrom, 'utf8') : undefined;
  const file = text !== undefined || existsSync(settings) ? settings : undefined;
  // The shell has a console of its own.
  const config = await loadConfig({ dataDir, file, text, port, console: false });
  const asked =
    port !== undefined || (file !== undefined && namesListeners(text ?? (await readFile(file, 'utf8'))));
  const listeners = asked ? config.listeners : onPort(0, config.listeners);
  if (!listeners.some(isUsable)) {
    throw new ConfigurationError(
      'listeners',
      'no unencrypted listener on this computer, which the app needs',
      "add one with bind_addresses ['127.0.0.1'] and tls: false",
    );
  }
  return { ...config, listeners };
}

/** The address for the app itself, of all where the homeserver listens. */
export const ownAddress = (urls: readonly string[]): string | undefined =>
  urls.find((url) => /^http:\/\/(127\.|localhost:|\[::1\]:)/.test(url));

const isUsable = ({ tls, bindAddresses }: Listener) =>
  tls === undefined && bindAddresses.some((address) => onThisMachine.test(address));

/** @param text of a valid configuration */
function namesListeners(text: string): boolean {
  const written: { listeners?: unknown } | null = parse(text);
  return written?.listeners !== undefined;
}
