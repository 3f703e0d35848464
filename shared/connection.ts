/** What the console means by a connected server: who is signed in where, what is sent there, and how it fails. */
import { type Static, type TSchema, Type } from 'typebox';
import { ErrorBody } from './api/common.ts';
import { fits, misfit } from './fits.ts';
import { english, type SentenceValues } from './sentence.ts';

/** What a person types or pastes. */
const Typed = Type.String({ maxLength: 100_000 });

export const Credentials = Type.Union([
  Type.Object({ type: Type.Literal('password'), user: Typed, password: Typed }),
  Type.Object({ type: Type.Literal('jwt'), token: Typed }),
  Type.Object({ type: Type.Literal('access_token'), accessToken: Typed }),
  Type.Object({ type: Type.Literal('login_token'), token: Typed }),
  /** On a page of the server, or of the authorization server that it delegates to. */
  Type.Object({ type: Type.Literal('browser') }),
  /** With a code that the person enters in any browser. */
  Type.Object({ type: Type.Literal('code') }),
]);
export type Credentials = Static<typeof Credentials>;
export type TypedCredentials = Exclude<Credentials, { type: 'browser' } | { type: 'code' }>;

/** A server that a person is signed in to. It holds no secret. */
export const Connection = Type.Object({
  id: Type.String(),
  baseUrl: Type.String({ description: 'Without a trailing slash' }),
  dialect: Type.Union([Type.Literal('vendor'), Type.Literal('matrix')]),
  userId: Type.String(),
  local: Type.Boolean({ description: 'Whether it is the homeserver in the box' }),
  /** Matrix Authentication Service, where the session may use its admin API. */
  mas: Type.Optional(
    Type.Object({
      url: Type.String({ description: 'Without a trailing slash' }),
      accountId: Type.String({ description: "The signed-in user's ID there" }),
    }),
  ),
});
export type Connection = Static<typeof Connection>;

/** Why a server can't be reached or doesn't let the person in; each has a message of its own on screen. */
export const FailureCode = Type.Union([
  Type.Literal('bad_address'),
  Type.Literal('unreachable'),
  Type.Literal('unreadable'),
  Type.Literal('timeout'),
  Type.Literal('not_homeserver'),
  Type.Literal('speaks_http'),
  Type.Literal('speaks_https'),
  Type.Literal('bad_credentials'),
  Type.Literal('login_type_unsupported'),
  Type.Literal('not_administrator'),
  Type.Literal('administration_hidden'),
  Type.Literal('rate_limited'),
  Type.Literal('refused'),
  Type.Literal('unexpected_reply'),
  Type.Literal('cancelled'),
  Type.Literal('no_such_connection'),
]);
export type FailureCode = Static<typeof FailureCode>;

/**
 * A failure with a sentence that says what happened and what to do; it never quotes a secret. The sentence is
 * kept apart from its values, so that the console can say it in another language.
 */
export class ConnectionFailure extends Error {
  readonly code: FailureCode;
  readonly sentence: string;
  readonly values: SentenceValues;
  constructor(code: FailureCode, sentence: string, values: SentenceValues = {}) {
    super(english(sentence, values));
    this.name = 'ConnectionFailure';
    this.code = code;
    this.sentence = sentence;
    this.values = values;
  }
}

export type OutgoingRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  url: string;
  accessToken?: string;
  body?: unknown;
  /** Bytes in place of JSON, and what they are. */
  content?: { type: string; bytes: Uint8Array<ArrayBuffer> };
  /** The homeserver on whose behalf another server is asked: its certificate authority is trusted for that request. */
  homeserver?: string;
  /** Replies with the target of a redirect. */
  reportsRedirect?: true;
  /** How long to wait for the reply; 10 s where it isn't said. */
  timeoutMs?: number;
};

export const usualTimeoutMs = 10_000;

/** The largest reply of JSON that is read, in bytes. */
export const mostReplyBytes = 64 * 1024 * 1024;

export type IncomingReply = {
  status: number;
  /** The parsed JSON, or undefined where the reply held none. */
  body: unknown;
  /** Where it redirects to, if the request asked for that and the sender doesn't follow redirects. */
  location?: string;
};

/**
 * Sends one request. Throws `ConnectionFailure` (`unreachable` or `timeout`) where no reply came, and
 * `cancelled` where the signal was aborted first.
 */
export type Send = (request: OutgoingRequest, signal?: AbortSignal) => Promise<IncomingReply>;

/**
 * Why no reply came, in place of one.
 *
 * @throws whatever is not the server's silence, such as a person's no
 */
export function silenceOf(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure && error.code !== 'cancelled') return error;
  throw error;
}

export const succeeded = ({ status }: IncomingReply): boolean => [200, 201, 204].includes(status);

/** The reply's body if the request succeeded and the body has this shape; the failure that it is if not. */
export function expectReply<Schema extends TSchema>(schema: Schema, reply: IncomingReply): Static<Schema> {
  if (!succeeded(reply)) throw failureOf(reply);
  if (!fits(schema, reply.body)) throw unexpectedReply(misfit(schema, reply.body));
  return reply.body;
}

/** @param field the first one that doesn't fit; empty where the whole reply doesn't */
export const unexpectedReply = (field: string): ConnectionFailure =>
  field
    ? new ConnectionFailure(
        'unexpected_reply',
        /*i18n*/ 'Unexpected response (field {field}). This server may be an older version or different software.',
        { field },
      )
    : new ConnectionFailure(
        'unexpected_reply',
        /*i18n*/ 'Unexpected response. This server may be an older version or different software.',
      );

/** Where a proxy gets no reply from the server behind it, it answers by itself, in no homeserver's words. */
export const isProxyAlone = ({ status, body }: IncomingReply): boolean =>
  status >= 502 && status <= 504 && !fits(ErrorBody, body);

export const proxyAlone = ({ status }: IncomingReply): ConnectionFailure =>
  new ConnectionFailure(
    'unreachable',
    /*i18n*/ "The proxy can't reach the server (HTTP {status}). Start the server or fix the proxy, then retry.",
    { status },
  );

/** The failure that a reply with an error status is. */
export function failureOf(reply: IncomingReply): ConnectionFailure {
  if (isProxyAlone(reply)) return proxyAlone(reply);
  const { status, body } = reply;
  const error = fits(ErrorBody, body) ? body.error : `HTTP status ${status}`;
  if (status === 429) {
    return new ConnectionFailure('rate_limited', /*i18n*/ 'Rate limited. Wait, then retry.');
  }
  if (status === 401 || status === 403) {
    return new ConnectionFailure('bad_credentials', /*i18n*/ 'Invalid credentials: {error}', { error });
  }
  return new ConnectionFailure('refused', /*i18n*/ 'Server error: {error}', { error });
}
