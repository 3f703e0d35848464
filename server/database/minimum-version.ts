import { ConfigurationError } from '../config/configuration-error.ts';

/**
 * Refuses a database engine that is too old. Interface: "Limits", minimum runtime versions.
 *
 * @param found what the engine says of itself, such as `14.9 (Debian 14.9-1)`
 * @throws ConfigurationError that says what was found
 */
export function requireVersion(engine: string, minimum: string, found: string): void {
  const [needed, given] = [minimum, found].map((version) => version.match(/\d+/g)?.map(Number) ?? []);
  for (const [index, part] of (needed ?? []).entries()) {
    const difference = (given?.[index] ?? 0) - part;
    if (difference > 0) return;
    if (difference < 0) {
      throw new ConfigurationError(
        'database',
        `${engine} ${found} was found, and this server needs ${minimum} or later`,
        `upgrade ${engine}`,
      );
    }
  }
}
