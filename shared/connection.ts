/** Connected servers: sessions, requests, replies and failures. */
import { type Static, type TSchema, Type } from 'typebox';
import { ErrorBody } from './api/common.ts';
import { fits, misfit } from './fits.ts';
import { english, type SentenceValues } from './sentence.ts';

/** Typed or pasted text. */
const Typed = Type.String({ maxLength: 100_000 });

export const Credentials = Type.Union([
  Type.Object({ type: Type.Literal('password'), user: Typed, password: Typed }),
  Type.Object({ type: Type.Literal('jwt'), token: Typed }),
  Type.Object({ type: Type.Literal('access_token'), accessToken: Typed }),
  Type.Object({ type: Type.Literal('login_token'), token: Typed }),
  /** On a page of the server or its authorization server. */
  Type.Object({ type: Type.Literal('browser') }),
  /** With a code that the user enters in any browser. */
  Type.Object({ type: Type.Literal('code') }),
]);
export type Credentials = Static<typeof Credentials>;
export type TypedCredentials = Exclude<Credentials, { type: 'browser' } | { type: 'code' }>;

/** A server that the user is signed in to. Contains no secrets. */
export const Connection = Type.Object({
  id: Type.String(),
  baseUrl: Type.String({ description: 'Without a trailing slash' }),
  dialect: Type.Union([Type.Literal('vendor'), Type.Literal('matrix')]),
  userId: Type.String(),
  local: Type.Boolean({ description: 'Whether it is the homeserver in the box' }),
  /** Matrix Authentication Service, if the session may use its admin API. */
  mas: Type.Optional(
    Type.Object({
      url: Type.String({ description: 'Without a trailing slash' }),
      accountId: Type.String({ description: "The signed-in user's ID there" }),
    }),
  ),
});
export type Connection = Static<typeof Connection>;

/** Why a request or sign-in failed. */
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
 * A failure, with a sentence for the user about the cause and the fix, without secrets. The sentence and its values are
 * separate, so that it can be translated.
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
  /** Bytes instead of JSON, with their content type. */
  content?: { type: string; bytes: Uint8Array<ArrayBuffer> };
  /** The homeserver whose certificate authority is trusted for this request to another server. */
  homeserver?: string;
  /** Replies with the target of a redirect. */
  reportsRedirect?: true;
  /** Timeout; 10 s by default. */
  timeoutMs?: number;
};

export const usualTimeoutMs = 10_000;

/** Maximum size of a JSON reply, in bytes. */
export const mostReplyBytes = 64 * 1024 * 1024;

export type IncomingReply = {
  status: number;
  /** The parsed JSON; undefined if the reply isn't JSON. */
  body: unknown;
  /** Target of a redirect, if requested. */
  location?: string;
};

/**
 * Sends one request. Throws `ConnectionFailure`: `unreachable` or `timeout` without a reply, `cancelled` if the signal is
 * aborted.
 */
export type Send = (request: OutgoingRequest, signal?: AbortSignal) => Promise<IncomingReply>;

/**
 * Returns the failure of a request without a reply.
 *
 * @throws any other error, such as the user's refusal
 */
export function silenceOf(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure && error.code !== 'cancelled') return error;
  throw error;
}

export const succeeded = ({ status }: IncomingReply): boolean => [200, 201, 204].includes(status);

/** Returns a successful reply's body. @throws ConnectionFailure for error replies, and bodies that don't fit the schema */
export function expectReply<Schema extends TSchema>(schema: Schema, reply: IncomingReply): Static<Schema> {
  if (!succeeded(reply)) throw failureOf(reply);
  if (!fits(schema, reply.body)) throw unexpectedReply(misfit(schema, reply.body));
  return reply.body;
}

/** @param field the first one that doesn't fit; empty for the whole reply */
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

/** Whether the reply is a proxy's own, because it can't reach the homeserver. */
export const isProxyAlone = ({ status, body }: IncomingReply): boolean =>
  status >= 502 && status <= 504 && !fits(ErrorBody, body);

export const proxyAlone = ({ status }: IncomingReply): ConnectionFailure =>
  new ConnectionFailure(
    'unreachable',
    /*i18n*/ "The proxy can't reach the server (HTTP {status}). Start the server or fix the proxy, then retry.",
    { status },
  );

/** Returns the failure of a reply with an error status. */
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
