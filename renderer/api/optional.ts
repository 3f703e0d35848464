import { ConnectionFailure } from '../../shared/connection.ts';
import { NoSuchEndpoint } from '../transport/refusal.ts';
import type { Server } from '../transport/server.ts';

/** Endpoints that the server turned out to lack, while the console is open. */
const missing = () => new Set<string>();

/**
 * Loads data that not every server has, when a screen needs it. Never requests it again once the server lacked it.
 *
 * @param lacks whether another refusal also means that
 * @returns null if the server lacks it
 */
export async function ifSupported<Data>(
  server: Server,
  endpoint: string,
  load: () => Promise<Data>,
  lacks: (failure: ConnectionFailure) => boolean = () => false,
): Promise<Data | null> {
  const known = server.state(missing);
  if (known.has(endpoint)) return null;
  try {
    return await load();
  } catch (error) {
    const isLacking = error instanceof NoSuchEndpoint || (error instanceof ConnectionFailure && lacks(error));
    if (!isLacking) throw error;
    known.add(endpoint);
    return null;
  }
}
