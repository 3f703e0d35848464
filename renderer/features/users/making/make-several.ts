/** Makes one user after another of a list, and says what became of each. */
import type { QueryClient } from '@tanstack/react-query';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import { newPassword } from '../../../actions/new-password.ts';
import { makeUser, nameAvailableQuery } from '../../../api/user-changes.ts';
import { openFileSink } from '../../../components/file/file-sink.ts';
import { type FileRow, fileTypes, headOf, lineOf } from '../../../components/file/table-file.ts';
import type { Server } from '../../../transport/server.ts';
import type { Pasted } from './pasted-names.ts';
import { whyNot } from './user-name.ts';

export type Made = Pasted & {
  userId: string;
  outcome: 'made' | 'failed' | 'not begun';
  /** Kept nowhere but here. */
  password?: string;
  why?: string;
};

type Context = {
  server: Server;
  queryClient: QueryClient;
  hasPasswords: boolean;
  nameOf: (localpart: string) => string;
};

/** So many in a row that no server answers, and there is none. */
const mostLost = 3;

/** @param onMade what became of one, in the order of the list; those that follow when it was stopped are not begun */
export async function makeSeveral(
  { server, queryClient, hasPasswords, nameOf }: Context,
  wanted: readonly (Pasted | Made)[],
  signal: AbortSignal,
  onMade: (made: Made) => void,
): Promise<void> {
  let lost = 0;
  for (const one of wanted) {
    const userId = nameOf(one.localpart);
    if (signal.aborted || lost >= mostLost) {
      onMade({ ...one, userId, outcome: 'not begun' });
      continue;
    }
    const given = 'password' in one ? one.password : undefined;
    const password = given ?? (hasPasswords ? newPassword() : undefined);
    try {
      // To make one who is there already would change them.
      await queryClient.fetchQuery(nameAvailableQuery(server, one.localpart));
      await makeUser(server, userId, {
        admin: false,
        ...(password !== undefined && { password }),
        ...(one.displayname && { displayname: one.displayname }),
        ...(one.mail && { threepids: [{ medium: 'email', address: one.mail }] }),
      });
      lost = 0;
      onMade({ ...one, userId, outcome: 'made', ...(password !== undefined && { password }) });
    } catch (error) {
      const isLost =
        error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
      lost = isLost ? lost + 1 : 0;
      // The reply alone may be lost, now or the last time: whoever was made by then has this password.
      const kept = password !== undefined && (isLost || given !== undefined) ? { password } : {};
      onMade({ ...one, userId, outcome: 'failed', why: whyNot(error as Error), ...kept });
    }
  }
}

// Saves created users and their passwords as CSV.

const columns = ['name', 'user_id', 'display_name', 'mail', 'password', 'outcome', 'why'];

/** Returns a line in which the password is exactly the one to sign in with. */
export const lineOfUser = (row: FileRow): string => lineOf('csv', columns, row, ['password']);

/** @returns whether it was written: the person can think better of it */
export async function saveMade(made: readonly Made[], inShell: boolean): Promise<boolean> {
  const sink = await openFileSink('new-users.csv', fileTypes.csv, inShell);
  if (!sink) return false;
  try {
    await sink.write(headOf('csv', columns));
    for (const { localpart, userId, displayname, mail, password, outcome, why } of made) {
      await sink.write(
        lineOfUser({
          name: localpart,
          user_id: userId,
          display_name: displayname || null,
          mail: mail || null,
          password: password ?? null,
          outcome,
          why: why ?? null,
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
