import { queryOptions } from '@tanstack/react-query';
import pLimit from 'p-limit';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import { pagesOf } from '../../../api/paging.ts';
import { loadUser } from '../../../api/user.ts';
import { checkNameAvailable } from '../../../api/user-changes.ts';
import { userList } from '../../../api/user-list.ts';
import { NotFound } from '../../../transport/refusal.ts';
import type { Server } from '../../../transport/server.ts';
import { localpartOf } from '../../../transport/server-name.ts';
import { refusalSentence } from '../create/user-name.ts';
import type { ExistingUser, ExistingUsers } from './import-rows.ts';

/** For more names, reading the whole list takes fewer requests. */
const maxSingleRequests = 100;
const concurrency = 4;

/** Checks which of these users exist. Names that only an application service can use are known for short lists only. */
export const existingUsersQuery = (server: Server, userIds: readonly string[]) =>
  queryOptions({
    queryKey: [server.id, 'import-existing', userIds.length, userIds.join(' ')],
    queryFn: ({ signal }): Promise<ExistingUsers> =>
      userIds.length <= maxSingleRequests
        ? checkEach(server, userIds, signal)
        : checkList(server, userIds, signal),
    staleTime: 60_000,
    gcTime: 0,
    structuralSharing: false,
  });

async function checkEach(server: Server, userIds: readonly string[], signal: AbortSignal) {
  const found = await pLimit(concurrency).map(userIds, async (userId): Promise<ExistingUser | undefined> => {
    signal.throwIfAborted();
    try {
      const { deactivated } = await loadUser(server, userId, signal);
      return { isDeactivated: Boolean(deactivated) };
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return checkName(server, userId, signal);
    }
  });
  return new Map(userIds.flatMap((userId, index) => (found[index] ? [[userId, found[index]] as const] : [])));
}

/** Returns the server's reason if it allows no user with this name. */
async function checkName(server: Server, userId: string, signal: AbortSignal) {
  try {
    await checkNameAvailable(server, localpartOf(userId), signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConnectionFailure) || error.values.errcode === undefined) throw error;
    return { refusal: refusalSentence(error) };
  }
}

async function checkList(server: Server, userIds: readonly string[], signal: AbortSignal) {
  const wanted = new Set(userIds);
  const found = new Map<string, ExistingUser>();
  const all = userList(server, { deactivated: true, locked: true, order: 'name', dir: 'f' });
  for await (const { rows } of pagesOf(all, signal)) {
    for (const { name, deactivated } of rows) {
      if (wanted.has(name)) found.set(name, { isDeactivated: Boolean(deactivated) });
    }
  }
  return found;
}
