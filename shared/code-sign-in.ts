/** Sign-in with a code that the user enters in a browser, on any device. RFC 8628, in Matrix 1.18. */
import { type Static, Type } from 'typebox';
import { parseAddress } from './address.ts';
import { type BrowserSignedIn, openGranted } from './browser-sign-in.ts';
import { ConnectionFailure, expectReply, type Send, silenceOf } from './connection.ts';
import { discover } from './discover.ts';
import { fits } from './fits.ts';
import {
  acceptTokens,
  expectSafe,
  findAuthServer,
  OAuthError,
  onBehalfOf,
  postForm,
  register,
  scopesFor,
} from './oauth.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

const DeviceAuthorization = Type.Object({
  device_code: Type.String({ maxLength: 2_000 }),
  user_code: Type.String({ maxLength: 100 }),
  verification_uri: Type.String({ maxLength: 2_000 }),
  verification_uri_complete: Type.Optional(Type.String({ maxLength: 2_000 })),
  /** In seconds, as the interval. */
  expires_in: Type.Number(),
  interval: Type.Optional(Type.Number()),
});

export const SignInCode = Type.Object({
  code: Type.String(),
  page: Type.String({ description: 'Where to enter the code' }),
  link: Type.String({ description: 'The same page, which may know the code' }),
});
export type SignInCode = Static<typeof SignInCode>;

type Options = {
  clientUri: string;
  /** Called once, with the code for the user. */
  onCode: (code: SignInCode) => void;
  signal: AbortSignal;
  now?: () => number;
  /** Resolves after some milliseconds, or when the signal is aborted. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/**
 * Gets a code, and polls until the user has signed in with it.
 *
 * @throws ConnectionFailure `cancelled` if the signal is aborted, the user declines or the code expires; as
 *   `acceptTokens`
 */
export async function signInWithCode(
  send: Send,
  address: string,
  { clientUri, onCode, signal, now = Date.now, wait = waitFor }: Options,
): Promise<BrowserSignedIn> {
  const server = await discover(send, address);
  const authServer = await findAuthServer(send, { ...server, site: parseAddress(address) });
  const endpoint = authServer?.device_authorization_endpoint;
  if (!authServer || endpoint === undefined) {
    throw new ConnectionFailure(
      'login_type_unsupported',
      /*i18n*/ "This server doesn't support that sign-in method. Choose another.",
    );
  }
  const sendToAuthServer = onBehalfOf(send, server.baseUrl);
  const client = await register(sendToAuthServer, authServer, {
    client_uri: clientUri,
    application_type: 'native',
    grant_types: [grantType, 'refresh_token'],
  });
  const { clientId, tokenEndpoint } = client;
  const granted = expectReply(
    DeviceAuthorization,
    await postForm(sendToAuthServer, endpoint, { client_id: clientId, scope: scopesFor(authServer) }),
  );
  const { verification_uri: page, verification_uri_complete: link = page } = granted;
  for (const url of [page, link]) expectSafe(url, server.baseUrl);
  onCode({ code: granted.user_code, page, link });

  const expiresAt = now() + granted.expires_in * 1000;
  let interval = Math.max(1, granted.interval ?? 5) * 1000;
  while (now() < expiresAt) {
    await wait(interval, signal);
    if (signal.aborted) break;
    const fields = { grant_type: grantType, device_code: granted.device_code, client_id: clientId };
    const reply = await postForm(sendToAuthServer, tokenEndpoint, fields).catch(silenceOf);
    const isSilent = reply instanceof ConnectionFailure;
    const error = !isSilent && fits(OAuthError, reply.body) ? reply.body.error : undefined;
    if (error === 'expired_token') break;
    if (isSilent || error === 'slow_down') interval += 5_000;
    else if (error !== 'authorization_pending') {
      return openGranted(send, server, await acceptTokens(sendToAuthServer, reply, client, now()));
    }
  }
  throw new ConnectionFailure('cancelled', /*i18n*/ 'The code has expired. Get a new one.');
}

const waitFor = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
