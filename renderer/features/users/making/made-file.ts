/** Saves created users and their passwords as CSV. */
import { openFileSink } from '../../../components/file/file-sink.ts';
import { type FileRow, fileTypes, headOf, lineOf } from '../../../components/file/table-file.ts';
import type { Made } from './make-several.ts';

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
