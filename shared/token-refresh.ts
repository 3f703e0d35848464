/** Renews access tokens that a server delegates to an authorization server, one renewal of a session at a time. */
import { ConnectionFailure, type Send } from './connection.ts';
import { onBehalfOf, refreshTokens } from './oauth.ts';
import type { Session } from './session.ts';

/** A token that is valid for less is renewed before it is used, in milliseconds. */
const margin = 30_000;

type Options = {
  find(connectionId: string): Session | undefined;
  save(session: Session): void | Promise<void>;
  send: Send;
  now(): number;
  /** Runs a job while no other holder of the session, such as another tab, runs one. */
  alone?: <Result>(connectionId: string, job: () => Promise<Result>) => Promise<Result>;
  /** The session as another holder renewed it, where news of that may be on its way. */
  renewedElsewhere?(session: Session): Promise<Session | undefined>;
};

export type TokenRefresh = ReturnType<typeof tokenRefresh>;

export function tokenRefresh({
  find,
  save,
  send,
  now,
  alone = (_, job) => job(),
  renewedElsewhere = async () => undefined,
}: Options) {
  const running = new Map<string, Promise<Session | undefined>>();
  /** Access tokens whose session has ended: nothing renews them. */
  const ended = new Set<string>();

  async function renewNow(session: Session): Promise<Session | undefined> {
    const latest = find(session.connection.id);
    if (!latest?.oauth || latest.accessToken !== session.accessToken) return latest;
    const sendToAuthServer = onBehalfOf(send, latest.connection.baseUrl);
    const tokens = await refreshTokens(sendToAuthServer, latest.oauth, now());
    if (tokens) {
      const renewed = { ...latest, ...tokens };
      await save(renewed);
      return renewed;
    }
    const other = await renewedElsewhere(latest);
    if (!other) ended.add(latest.accessToken);
    return other;
  }

  /**
   * The session with another token than this one has; undefined where it has ended.
   *
   * @throws ConnectionFailure where the authorization server gives no answer
   */
  function renew(session: Session): Promise<Session | undefined> {
    const { id } = session.connection;
    if (ended.has(session.accessToken)) return Promise.resolve(undefined);
    const before = running.get(id);
    if (before) return before;
    const renewal = alone(id, () => renewNow(session)).finally(() => running.delete(id));
    running.set(id, renewal);
    return renewal;
  }

  /** The session with a token that is valid for a while. One that has ended stays as it is: the server says so. */
  async function current(session: Session): Promise<Session> {
    const left = (session.oauth?.expiresAt ?? Number.POSITIVE_INFINITY) - now();
    if (left > margin || session.oauth?.refreshToken === undefined) return session;
    try {
      return (await renew(session)) ?? session;
    } catch (error) {
      if (left > 0 && error instanceof ConnectionFailure) return session;
      throw error;
    }
  }

  return {
    renew,
    current,

    /** Sends a request with a valid token; where the server refuses it, once more with a renewed one. */
    async authorized<Reply extends { status: number }>(
      session: Session,
      attempt: (session: Session) => Promise<Reply>,
    ): Promise<Reply> {
      const fresh = await current(session);
      const reply = await attempt(fresh);
      const renewed = reply.status === 401 && fresh.oauth ? await renew(fresh) : undefined;
      return renewed ? attempt(renewed) : reply;
    },
  };
}
