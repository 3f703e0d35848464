import type { QueryClient } from '@tanstack/react-query';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import { newPassword } from '../../../actions/new-password.ts';
import { createUser, nameAvailableQuery } from '../../../api/user-changes.ts';
import { openFileSink } from '../../../components/file/file-sink.ts';
import { type FileRow, fileTypes, headerLine, rowLine } from '../../../components/file/table-file.ts';
import type { Server } from '../../../transport/server.ts';
import type { NewUser } from './pasted-names.ts';
import { refusalSentence } from './user-name.ts';

export type Result = NewUser & {
  userId: string;
  outcome: 'created' | 'failed' | 'not started';
  /** Never stored. */
  password?: string;
  /** Why it failed, translated. */
  error?: string;
};

type Context = {
  server: Server;
  queryClient: QueryClient;
  hasPasswords: boolean;
  nameOf: (localpart: string) => string;
};

/** Gives up after this many requests in a row without a response. */
const maxLost = 3;

/**
 * Creates the users one after another. Once aborted, the remaining ones are reported as not started.
 *
 * @param onResult called for each user, in order
 */
export async function createUsers(
  { server, queryClient, hasPasswords, nameOf }: Context,
  users: readonly (NewUser | Result)[],
  signal: AbortSignal,
  onResult: (result: Result) => void,
): Promise<void> {
  let lost = 0;
  for (const user of users) {
    const userId = nameOf(user.localpart);
    if (signal.aborted || lost >= maxLost) {
      onResult({ ...user, userId, outcome: 'not started' });
      continue;
    }
    const previous = 'password' in user ? user.password : undefined;
    const password = previous ?? (hasPasswords ? newPassword() : undefined);
    try {
      // The endpoint updates an existing user, so check first.
      await queryClient.fetchQuery(nameAvailableQuery(server, user.localpart));
      await createUser(server, userId, {
        admin: false,
        ...(password !== undefined && { password }),
        ...(user.displayname && { displayname: user.displayname }),
        ...(user.email && { threepids: [{ medium: 'email', address: user.email }] }),
      });
      lost = 0;
      onResult({ ...user, userId, outcome: 'created', ...(password !== undefined && { password }) });
    } catch (error) {
      const isLost =
        error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
      lost = isLost ? lost + 1 : 0;
      // If only the response was lost, now or in an earlier try, the user exists with this password.
      const mayExist = isLost || previous !== undefined;
      onResult({
        ...user,
        userId,
        outcome: 'failed',
        error: refusalSentence(error as Error),
        ...(password !== undefined && mayExist && { password }),
      });
    }
  }
}

const columns = ['name', 'user_id', 'display_name', 'mail', 'password', 'outcome', 'why'];

/** Formats a user as CSV. The password is never escaped against formulas, so that it stays valid. */
export const lineOfUser = (row: FileRow): string => rowLine('csv', columns, row, ['password']);

/** Saves users and passwords as CSV. Returns false if the user cancelled the dialog. */
export async function savePasswords(results: readonly Result[], inShell: boolean): Promise<boolean> {
  const sink = await openFileSink('new-users.csv', fileTypes.csv, inShell);
  if (!sink) return false;
  try {
    await sink.write(headerLine('csv', columns));
    for (const { localpart, userId, displayname, email, password, outcome, error } of results) {
      await sink.write(
        lineOfUser({
          name: localpart,
          user_id: userId,
          display_name: displayname || null,
          mail: email || null,
          password: password ?? null,
          outcome,
          why: error ?? null,
        }),
      );
    }
    await sink.close();
    return true;
  } catch (error) {
    await sink.discard().catch(() => {});
    throw error;
  }
}
