/** A login for testers, as a client of theirs would make it. Loaded only where one is tried. */
import type { Connection, IncomingReply } from '../../shared/connection.ts';
import { loginRequest } from '../../shared/try-login.ts';
import { sendFromPage } from './fetch.ts';
import { invokerOf } from './invoke.ts';

/**
 * Sends the login and gives back the reply, whatever its status. In the desktop app the main process sends it.
 *
 * @throws ConnectionFailure where no reply came
 */
export async function tryLogin(connection: Connection, token: string): Promise<IncomingReply> {
  if (!window.gatehouse) return sendFromPage(loginRequest(connection, token));
  return invokerOf(window.gatehouse)('workbench:try-login', { connectionId: connection.id, token });
}
