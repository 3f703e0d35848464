/** Listeners of the built-in homeserver: those of its configuration, or a free loopback port. */

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Config } from '../../server/platform/config/config.ts';
import { ConfigurationError } from '../../server/platform/config/configuration-error.ts';
import { type Listener, onPort } from '../../server/platform/config/listeners.ts';
import { loadConfig } from '../../server/platform/config/load.ts';

/**
 * Parses a port from the command line.
 *
 * @throws ConfigurationError
 */
export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new ConfigurationError('--port', `'${text}' is not a port`, 'give a number below 65536');
}

/** A loopback address, or one that includes loopback. */
const onThisMachine = /^(127(\.\d+){3}|localhost|::1|0\.0\.0\.0|::)$/;

/**
 * Returns the configuration of a data directory from its `homeserver.yaml`.
 *
 * @param port overrides the configured one
 * @param settingsFrom file to read instead, if it exists
 * @throws ConfigurationError also if no listener remains that the app itself can use
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
  // The app has its own console.
  const config = await loadConfig({ dataDir, file, text, port, console: false });
  const isPortChosen =
    port !== undefined || (file !== undefined && namesListeners(text ?? (await readFile(file, 'utf8'))));
  const listeners = isPortChosen ? config.listeners : onPort(0, config.listeners);
  if (!listeners.some(isUsable)) {
    throw new ConfigurationError(
      'listeners',
      'no unencrypted listener on this computer, which the app needs',
      "add one with bind_addresses ['127.0.0.1'] and tls: false",
    );
  }
  return { ...config, listeners };
}

/** Returns the address that the app itself uses. */
export const ownAddress = (urls: readonly string[]): string | undefined =>
  urls.find((url) => /^http:\/\/(127\.|localhost:|\[::1\]:)/.test(url));

const isUsable = ({ tls, bindAddresses }: Listener) =>
  tls === undefined && bindAddresses.some((address) => onThisMachine.test(address));

/** @param text valid configuration */
function namesListeners(text: string): boolean {
  const written: { listeners?: unknown } | null = parse(text);
  return written?.listeners !== undefined;
}
