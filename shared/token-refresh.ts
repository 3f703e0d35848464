/** Refreshes OAuth 2.0 access tokens. A session has one refresh at a time. */
import { ConnectionFailure, type Send } from './connection.ts';
import { onBehalfOf, refreshTokens } from './oauth.ts';
import type { Session } from './session.ts';

/** A token is refreshed this long before it expires, in milliseconds. */
const margin = 30_000;

type Options = {
  find(connectionId: string): Session | undefined;
  save(session: Session): void | Promise<void>;
  send: Send;
  now(): number;
  /** Runs a job while no other holder of the session, such as another tab, runs one: a mutex per connection. */
  alone?: <Result>(connectionId: string, job: () => Promise<Result>) => Promise<Result>;
  /** Returns the session that another holder has refreshed, if its message may not have arrived yet. */
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
  /** Access tokens of ended sessions, which can't be refreshed. */
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
   * Returns the session with a new token; undefined if it has ended.
   *
   * @throws ConnectionFailure if the authorization server doesn't answer
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

  /**
   * Returns the session with a token that is valid for a while. Returns an ended session unchanged, so that the server
   * rejects its token.
   */
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

    /** Sends a request with a valid token; if the server rejects it, retries once with a refreshed one. */
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
