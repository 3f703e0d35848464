/**
 * Acting as another user: a temporary access token for an admin, for use in another program. It's copied to the clipboard,
 * once; the page gets only its ID.
 */
import { type Static, Type } from 'typebox';
import {
  type Connection,
  ConnectionFailure,
  expectReply,
  type IncomingReply,
  type Send,
} from './connection.ts';
import { dialects } from './dialect.ts';

/** Maximum validity of a token, in minutes. */
export const longestActing = 24 * 60;

export const ActingSession = Type.Object({
  id: Type.String(),
  until: Type.Integer({ description: 'Milliseconds since the Unix epoch' }),
});
export type ActingSession = Static<typeof ActingSession>;

const Token = Type.Object({ access_token: Type.String() });

type Attempt = (session: { connection: Connection; accessToken: string }) => Promise<IncomingReply>;

type Options = {
  /** Sends a request with the session's token. */
  authorized(connectionId: string, attempt: Attempt): Promise<IncomingReply>;
  send: Send;
  /** Copies a text to the clipboard. */
  copy(text: string): void | Promise<void>;
  now(): number;
};

export type ActingSessions = ReturnType<typeof actingSessions>;

export function actingSessions({ authorized, send, copy, now }: Options) {
  const open = new Map<string, { token: string; logoutUrl: string; isCopied: boolean }>();
  let begun = 0;

  const find = (id: string) => {
    const found = open.get(id);
    if (found) return found;
    throw new ConnectionFailure('refused', /*i18n*/ 'This token is no longer available.');
  };
  const loginUrl = ({ baseUrl, dialect }: Connection, userId: string) =>
    `${baseUrl}${dialects[dialect].administration}/admin/v1/users/${encodeURIComponent(userId)}/login`;

  return {
    /** Whether the server issues such tokens. Doesn't issue one. */
    async isOffered(connectionId: string): Promise<boolean> {
      const { status } = await authorized(connectionId, ({ connection, accessToken }) =>
        send({ method: 'GET', url: loginUrl(connection, '@nobody:nowhere.invalid'), accessToken }),
      );
      return status === 405;
    },

    /** @throws ConnectionFailure `refused` if the server issues none, or the validity is too long */
    async begin(connectionId: string, userId: string, minutes: number): Promise<ActingSession> {
      if (!(minutes > 0 && minutes <= longestActing)) {
        throw new ConnectionFailure('refused', /*i18n*/ 'A token is valid for one day at most.');
      }
      const until = now() + minutes * 60_000;
      const body = { valid_until_ms: until };
      let logoutUrl = '';
      const reply = await authorized(connectionId, ({ connection, accessToken }) => {
        logoutUrl = `${connection.baseUrl}${dialects[connection.dialect].chat}/client/v3/logout`;
        return send({ method: 'POST', url: loginUrl(connection, userId), accessToken, body });
      });
      const { access_token: token } = expectReply(Token, reply);
      const id = String(++begun);
      open.set(id, { token, logoutUrl, isCopied: false });
      return { id, until };
    },

    /** @throws ConnectionFailure `refused` the second time */
    async copyToken(id: string): Promise<void> {
      const acting = find(id);
      if (acting.isCopied) {
        throw new ConnectionFailure('refused', /*i18n*/ 'Token already copied. Create another.');
      }
      await copy(acting.token);
      acting.isCopied = true;
    },

    /** Revokes the token. @throws ConnectionFailure if the server can't be reached */
    async end(id: string): Promise<void> {
      const { token, logoutUrl } = find(id);
      const reply = await send({ method: 'POST', url: logoutUrl, accessToken: token, body: {} });
      // 401: it has expired.
      if (reply.status !== 401) expectReply(Type.Object({}), reply);
      open.delete(id);
    },
  };
}
