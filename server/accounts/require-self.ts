import { forbidden } from '../core/matrix-error.ts';
import type { Requester } from '../core/requester.ts';

/** @param what such as `get tags` @throws MatrixError 403 for who wants to do it for somebody else */
export function requireSelf(requester: Requester, userId: string, what: string): void {
  if (requester.userId !== userId) throw forbidden(`Cannot ${what} for other users.`);
}
