/** Finds the homeserver at an address. Pure: the caller passes in `send`. */
import { Type } from 'typebox';
import { parseAddress, schemeOf } from './address.ts';
import { Versions } from './api/server.ts';
import {
  ConnectionFailure,
  isProxyAlone,
  proxyAlone,
  type Send,
  silenceOf,
  usualTimeoutMs,
} from './connection.ts';
import { type Dialect, dialectNames, dialects } from './dialect.ts';
import { fits } from './fits.ts';
import { readWellKnown } from './well-known.ts';

/**
 * Finds the homeserver at an address and its API paths, by requesting `versions`; follows `.well-known` delegation. Without
 * a typed scheme, tries https if http has no homeserver, but never the other way round.
 *
 * @throws ConnectionFailure `bad_address`, `unreachable`, `timeout`, `not_homeserver`, `speaks_http`, `speaks_https`
 */
export async function discover(send: Send, typed: string): Promise<{ baseUrl: string; dialect: Dialect }> {
  const baseUrl = parseAddress(typed);
  const { dialect, silence } = await speaks(send, baseUrl);
  if (dialect) return { baseUrl, dialect };
  const other = withOtherScheme(baseUrl);
  if (silence?.code === 'timeout') {
    // Some servers without TLS never answer a TLS handshake.
    const isPlain = other.startsWith('http:') && (await speaks(send, other, knockTimeoutMs)).dialect;
    throw isPlain ? speaksHttp(baseUrl, other) : silence;
  }

  const delegated = await delegatedAddress(send, baseUrl);
  const there = delegated ? await speaks(send, delegated) : undefined;
  if (delegated && there?.dialect) return { baseUrl: delegated, dialect: there.dialect };

  const elsewhere = await speaks(send, other, knockTimeoutMs);
  if (elsewhere.dialect) {
    if (!other.startsWith('https:')) throw speaksHttp(baseUrl, other);
    if (schemeOf(typed)) throw speaksHttps(baseUrl, other);
    return { baseUrl: other, dialect: elsewhere.dialect };
  }

  if (silence) throw silence;
  throw new ConnectionFailure(
    'not_homeserver',
    /*i18n*/ "The server at {baseUrl} isn't a homeserver. Check the address and port.",
    { baseUrl },
  );
}

/** Timeout for addresses that the user didn't type. */
const knockTimeoutMs = 3_000;

const withOtherScheme = (baseUrl: string) =>
  baseUrl.startsWith('https:') ? baseUrl.replace('https:', 'http:') : baseUrl.replace('http:', 'https:');

const speaksHttp = (baseUrl: string, other: string) =>
  new ConnectionFailure(
    'speaks_http',
    /*i18n*/ "The homeserver is at {other}, not {baseUrl}, and isn't encrypted. This exposes your password. Enable https or use a tunnel (ssh -L 8008:localhost:8008 …). If you trust the network, enter {other}.",
    { baseUrl, other },
  );

const speaksHttps = (baseUrl: string, other: string) =>
  new ConnectionFailure(
    'speaks_https',
    /*i18n*/ 'The homeserver is at {other}, not {baseUrl}. Use the https address.',
    { baseUrl, other },
  );

/**
 * Returns the API paths of the server at an address, or why there was no reply.
 *
 * Deployed servers refuse unknown paths without a CORS header, so a browser can't see that reply: only no reply for both
 * sets of paths means that there is no server.
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
      !(answer instanceof ConnectionFailure) && answer.status === 200 && fits(Versions, answer.body),
  );
  const name = dialectNames[index];
  if (name) return { dialect: dialects[name] };
  const silences = answers.flatMap((answer) => {
    if (answer instanceof ConnectionFailure) return answer;
    return isProxyAlone(answer) ? proxyAlone(answer) : [];
  });
  return silences.length === answers.length ? { silence: silences[0] } : {};
}

const WellKnown = Type.Object({ 'm.homeserver': Type.Object({ base_url: Type.String() }) });

async function delegatedAddress(send: Send, baseUrl: string): Promise<string | undefined> {
  const wellKnown = await readWellKnown(send, baseUrl);
  if (!fits(WellKnown, wellKnown)) return undefined;
  try {
    const delegated = parseAddress(wellKnown['m.homeserver'].base_url);
    // A public page must not redirect the console to plain http.
    return delegated.startsWith('https://') ? delegated : undefined;
  } catch {
    // A broken delegation: use the typed address.
    return undefined;
  }
}
