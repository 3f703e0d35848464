/**
 * How the console gets from an address that a person typed to a signed-in administrator. Pure: whoever
 * calls it (the shell's main process, or the page itself in a browser) brings the way to send a request.
 */
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { ErrorBody } from './api/common.ts';
import { LoginFlows } from './api/login.ts';
import { Versions } from './api/server.ts';
import {
  ConnectionFailure,
  type Credentials,
  expectReply,
  failureOf,
  isProxyAlone,
  proxyAlone,
  type Send,
  usualTimeoutMs,
} from './connection.ts';
import { type Dialect, dialectNames, dialects } from './dialect.ts';

/**
 * The base address of what a person typed: `example.org`, `localhost:8008`, `https://example.org/`.
 * Without a scheme it is https, except on this machine.
 *
 * @throws ConnectionFailure `bad_address`
 */
export function parseAddress(typed: string): string {
  const text = typed.trim();
  const scheme = schemeOf(text);
  const withScheme = scheme ? text : `${isLoopback(text) ? 'http' : 'https'}://${text}`;
  const url = scheme && !/^https?$/.test(scheme) ? null : URL.parse(withScheme);
  // A bare number would be read as an address of the internet's, in a notation that nobody means.
  if (
    !url ||
    !isHost.test(url.hostname) ||
    url.hostname.length > longestHost ||
    /^\d+(:\d+)?(\/|$)/.test(text) ||
    url.username ||
    url.password ||
    url.search ||
    url.hash
  ) {
    throw new ConnectionFailure(
      'bad_address',
      /*i18n*/ 'That is not an address of a server. Write it like https://example.org or localhost:8008.',
    );
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

const schemeOf = (typed: string) => /^([a-z][a-z\d+.-]*):\/\//i.exec(typed.trim())?.[1]?.toLowerCase();

/** Of the names of the internet, which have to be readable as a whole where a person is asked about one. */
export const longestHost = 253;

const isHost = /^(\[[\da-f:.]+\]|[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*\.?)$/i;

const isLoopback = (address: string) => /^(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i.test(address);

/**
 * Finds the homeserver behind an address and the dialect that it speaks, by asking for `versions`;
 * follows the address's own `.well-known` delegation where there is one. Where nobody wrote http or https, and
 * only https has a homeserver, it is that one; never the other way round.
 *
 * @throws ConnectionFailure `bad_address`, `unreachable`, `timeout`, `not_homeserver`, `speaks_http`, `speaks_https`
 */
export async function discover(send: Send, typed: string): Promise<{ baseUrl: string; dialect: Dialect }> {
  const baseUrl = parseAddress(typed);
  const { dialect, silence } = await speaks(send, baseUrl);
  if (dialect) return { baseUrl, dialect };
  if (silence?.code === 'timeout') throw silence;

  const delegated = await delegatedAddress(send, baseUrl);
  const there = delegated ? await speaks(send, delegated) : undefined;
  if (delegated && there?.dialect) return { baseUrl: delegated, dialect: there.dialect };

  const other = withOtherScheme(baseUrl);
  const elsewhere = await speaks(send, other, knockTimeoutMs);
  if (elsewhere.dialect) {
    if (!other.startsWith('https:')) throw speaksHttp(baseUrl, other);
    if (schemeOf(typed)) throw speaksHttps(baseUrl, other);
    return { baseUrl: other, dialect: elsewhere.dialect };
  }

  if (silence) throw silence;
  throw new ConnectionFailure(
    'not_homeserver',
    /*i18n*/ 'There is a server at {baseUrl}, but it is not a homeserver. Check the address and the port.',
    { baseUrl },
  );
}

/** Nobody waits long for an address that they did not write. */
const knockTimeoutMs = 3_000;

const withOtherScheme = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? baseUrl.replace('https:', 'http:') : baseUrl.replace('http:', 'https:');

const speaksHttp = (baseUrl: string, other: string) =>
  new ConnectionFailure(
    'speaks_http',
    /*i18n*/ 'No homeserver answers at {baseUrl}, but a homeserver answers at {other}, without encryption: whoever is on the way there reads your password. Let the server offer https, or open a tunnel to it (ssh -L 8008:localhost:8008 …). If you trust the way, write {other}.',
    { baseUrl, other },
  );

const speaksHttps = (baseUrl: string, other: string) =>
  new ConnectionFailure(
    'speaks_https',
    /*i18n*/ 'The homeserver answers at {other}, and not at {baseUrl}. Write the address with https.',
    { baseUrl, other },
  );

/**
 * Which dialect the server at an address speaks, or why there was no reply at all.
 *
 * A browser hides replies without a cross-origin header, and that is how deployed servers refuse a path
 * that they don't know: one dialect's silence says something only together with the other's.
 */
async function speaks(
  send: Send,
  baseUrl: string,
  timeoutMs = usualTimeoutMs,
): Promise<{ dialect?: Dialect; silence?: ConnectionFailure }> {
  const answers = await Promise.all(
    dialectNames.map((name) =>
      send({ method: 'GET', url: `${baseUrl}${dialects[name].chat}/client/versions`, timeoutMs }).catch(
        silenceOf,
      ),
    ),
  );
  const index = answers.findIndex(
    (answer) =>
      !(answer instanceof ConnectionFailure) && answer.status === 200 && Check(Versions, answer.body),
  );
  const name = dialectNames[index];
  if (name) return { dialect: dialects[name] };
  const silences = answers.flatMap((answer) => {
    if (answer instanceof ConnectionFailure) return answer;
    return isProxyAlone(answer) ? proxyAlone(answer) : [];
  });
  return silences.length === answers.length ? { silence: silences[0] } : {};
}

/** @throws whatever is not the server's silence, such as a person's no */
function silenceOf(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure && error.code !== 'cancelled') return error;
  throw error;
}

const WellKnown = Type.Object({ 'm.homeserver': Type.Object({ base_url: Type.String() }) });

async function delegatedAddress(send: Send, baseUrl: string): Promise<string | undefined> {
  const answer = await send({ method: 'GET', url: `${baseUrl}/.well-known/matrix/client` }).catch(silenceOf);
  if (answer instanceof ConnectionFailure || !Check(WellKnown, answer.body)) return undefined;
  const { body } = answer;
  const delegated = parseAddress(body['m.homeserver'].base_url);
  // A public page must not be able to point the console at this machine or at plain http.
  return delegated.startsWith('https://') ? delegated : undefined;
}

export type SignedIn = { accessToken: string; userId: string };

/**
 * Signs in and makes sure that the account is a server administrator; a session that turns out not to
 * be one is ended again.
 *
 * @throws ConnectionFailure `bad_credentials`, `login_type_unsupported`, `not_administrator`, …
 */
export async function signIn(
  send: Send,
  server: { baseUrl: string; dialect: Dialect },
  credentials: Credentials,
): Promise<SignedIn> {
  const session = await openSession(send, server, credentials);
  try {
    await expectAdministrator(send, server, session);
    return session;
  } catch (error) {
    // Whatever went wrong, a device that nobody knows of must not stay behind.
    if (credentials.type !== 'access_token') {
      const url = `${server.baseUrl}${server.dialect.chat}/client/v3/logout`;
      const { accessToken } = session;
      await send({ method: 'POST', url, accessToken, body: {} }).catch(silenceOf);
    }
    throw error;
  }
}

async function expectAdministrator(
  send: Send,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
  { accessToken, userId }: SignedIn,
): Promise<void> {
  const paths = `${dialect.administration}/admin/`;
  const url = `${baseUrl}${paths}v1/event_reports?limit=1`;
  const reply = await send({ method: 'GET', url, accessToken }).catch(silenceOf);
  // It has just signed the person in: silence here is a proxy's, which a browser can't tell from a refusal.
  const isSilent = reply instanceof ConnectionFailure;
  if (isSilent && reply.code !== 'unreachable') throw reply;
  if (!isSilent && reply.status === 200) return;
  if (!isSilent && reply.status === 403 && Check(ErrorBody, reply.body)) {
    throw new ConnectionFailure(
      'not_administrator',
      /*i18n*/ '{userId} is not an administrator of this server. Sign in with an account that is.',
      { userId },
    );
  }
  if (isSilent || [403, 404, 405].includes(reply.status)) {
    throw new ConnectionFailure(
      'administration_hidden',
      /*i18n*/ '{userId} can sign in at {baseUrl}, but nothing under {paths} answers there: a proxy keeps it from the outside, as is usual. Add a rule to the proxy that lets your address reach {paths}, or open a tunnel to the server (ssh -L 8008:localhost:8008 …) and connect to http://localhost:8008.',
      { userId, baseUrl, paths },
    );
  }
  if (isProxyAlone(reply)) {
    throw new ConnectionFailure(
      'administration_hidden',
      /*i18n*/ '{userId} can sign in at {baseUrl}, but for {paths} a proxy answers there with HTTP status {status}: what it sends these paths to does not answer. Let it send {paths} to the process of the server that has the administration, or open a tunnel to the server (ssh -L 8008:localhost:8008 …) and connect to http://localhost:8008.',
      { userId, baseUrl, paths, status: reply.status },
    );
  }
  throw failureOf(reply);
}

async function openSession(
  send: Send,
  { baseUrl, dialect }: { baseUrl: string; dialect: Dialect },
  credentials: Credentials,
): Promise<SignedIn> {
  if (credentials.type === 'access_token') {
    const { accessToken } = credentials;
    if (!isToken.test(accessToken)) {
      throw new ConnectionFailure(
        'bad_credentials',
        /*i18n*/ 'An access token is one word of letters, digits and signs. Copy it again, without what stands before and after it.',
      );
    }
    const reply = await send({
      method: 'GET',
      url: `${baseUrl}${dialect.chat}/client/v3/account/whoami`,
      accessToken,
    });
    return { accessToken, userId: expectReply(OwnAccount, reply).user_id };
  }
  const url = `${baseUrl}${dialect.chat}/client/r0/login`;
  const request = loginBody(dialect, credentials);
  // Whose link holds a token has it from the server itself, which need not list that it takes them.
  const isListed =
    credentials.type === 'login_token' ||
    expectReply(LoginFlows, await send({ method: 'GET', url })).flows.some(
      ({ type }) => type === request.type,
    );
  if (!isListed) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ 'This server does not offer that way to sign in. Choose another one.',
    );
  }
  const reply = await send({
    method: 'POST',
    url,
    body: { ...request, initial_device_display_name: 'Gatehouse' },
  });
  const login = expectReply(LoginSession, reply);
  return { accessToken: login.access_token, userId: login.user_id };
}

/** What a header can carry; whatever else is refused by something that quotes it. */
const isToken = /^[\x21-\x7e]{1,10000}$/;

/** As long as one may be at most: a server may say anything, and it stands in lists and menus. */
const UserId = Type.String({ maxLength: 255 });

/** What a login reply has to hold; deployed servers leave out `home_server`. */
const LoginSession = Type.Object({
  access_token: Type.String({ pattern: isToken.source }),
  user_id: UserId,
});
const OwnAccount = Type.Object({ user_id: UserId });

function loginBody(dialect: Dialect, credentials: Exclude<Credentials, { type: 'access_token' }>) {
  switch (credentials.type) {
    case 'password':
      return {
        type: 'm.login.password',
        identifier: { type: 'm.id.user', user: credentials.user },
        password: credentials.password,
      };
    case 'jwt':
      return { type: dialect.jwtLoginType, token: credentials.token };
    case 'login_token':
      return { type: 'm.login.token', token: credentials.token };
  }
}
