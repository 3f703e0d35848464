import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { call, type TestHomeserver } from '../homeserver.ts';

const password = 'correct horse';

/** Creates a user with the password "correct horse" and one session. Paths are below `/_chat/client`. */
export async function newcomer(homeserver: TestHomeserver, localpart: string) {
  const userId = await createUser(homeserver.services, { localpart, password });
  const session = async () => {
    const login = { type: 'm.login.password', user: localpart, password };
    const { body } = await homeserver.as('guest').post('/_chat/client/v3/login', login);
    const send = (method: string) => (path: string, content?: unknown) =>
      call(homeserver.url, method, `/_chat/client${path}`, body.access_token, content);
    return {
      deviceId: body.device_id as string,
      token: body.access_token as string,
      get: send('GET'),
      post: send('POST'),
      put: send('PUT'),
      delete: send('DELETE'),
    };
  };
  const auth = (session?: string, given = password) => ({
    type: 'm.login.password',
    identifier: { type: 'm.id.user', user: localpart },
    password: given,
    session,
  });
  return { localpart, userId, session, auth, ...(await session()) };
}
