/** Messages from the server itself. The reference homeserver's "Server Notices" API. */
import { Type } from 'typebox';
import { EmptyObject } from '../../shared/api/common.ts';
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
