/** Messages from the server itself. The reference homeserver's "Server Notices" API. */
import { Type } from 'typebox';
import { EmptyObject } from '../../shared/api/common.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { body, type Server } from '../transport/server.ts';

const Notice = Type.Object({
  user_id: Type.String(),
  content: Type.Object({ msgtype: Type.Literal('m.text'), body: Type.String() }),
});

const noticeTo = (userId: string, text: string) => ({
  body: body(Notice, { user_id: userId, content: { msgtype: 'm.text', body: text } }),
});

/** @param transaction names the request: sent twice, it is done once */
export const sendServerNotice = (server: Server, userId: string, text: string, transaction: string) =>
  server.send('PUT', EmptyObject, `/v1/send_server_notice/${transaction}`, noticeTo(userId, text));

/**
 * Whether the server sends notices. It has the path also where they are switched off, so it is asked to send
 * one to someone who can't be on it.
 */
export async function sendsNotices(server: Server): Promise<boolean> {
  if (!(await server.has('administration', '/v1/send_server_notice'))) return false;
  try {
    await server.send(
      'POST',
      EmptyObject,
      '/v1/send_server_notice',
      noticeTo('@nobody:nowhere.invalid', 'This reaches nobody.'),
    );
  } catch (error) {
    if (!(error instanceof ConnectionFailure) || error.code !== 'refused') throw error;
    return !/not enabled/i.test(error.message);
  }
  return true;
}
