import { expect, test } from 'vitest';
import type { OutgoingRequest, TypedCredentials } from '../../shared/connection.ts';
import { dialects } from '../../shared/dialect.ts';
import { signIn } from '../../shared/sign-in.ts';

/** A server where `@ada:x` can sign in but isn't an admin. */
function serverWithoutRights() {
  const paths: string[] = [];
  const replies: Record<string, unknown> = {
    whoami: { user_id: '@ada:x' },
    logout: {},
    login: { user_id: '@ada:x', access_token: 'new', flows: [{ type: 'm.login.password' }] },
  };
  const send = async ({ method, url }: OutgoingRequest) => {
    const path = new URL(url).pathname.split('/').at(-1) ?? '';
    paths.push(`${method} ${path}`);
    const body = replies[path];
    return body
      ? { status: 200, body }
      : { status: 403, body: { errcode: 'M_FORBIDDEN', error: 'You are not a server admin' } };
  };
  return { paths, send };
}

test.each<[string, TypedCredentials, boolean]>([
  ['an access token, which others may use', { type: 'access_token', accessToken: 'syt_given' }, false],
  ['a password', { type: 'password', user: 'ada', password: 'secret' }, true],
])('a sign-in without admin rights by %s', async (_, credentials, ends) => {
  const { paths, send } = serverWithoutRights();
  const server = { baseUrl: 'https://x', dialect: dialects.matrix };
  await expect(signIn(send, server, credentials)).rejects.toThrow("isn't a server admin");
  expect(paths.includes('POST logout')).toBe(ends);
});
