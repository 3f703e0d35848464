/** A port as it is written on a command line. */
import { ConfigurationError } from '../server/platform/config/configuration-error.ts';

/** @throws ConfigurationError */
export function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new ConfigurationError('--port', `'${text}' is not a port`, 'give a number below 65536');
}
