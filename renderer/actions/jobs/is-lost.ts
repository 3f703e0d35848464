import { ConnectionFailure } from '../../../shared/connection.ts';

/** No reply came, or a proxy's alone: the next request may well arrive. */
export const isLost = (error: unknown) =>
  error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
