/** Endpoints that consume a resource with every call: a new account, an unused token, a room to leave. */
import { crossSigning } from '../server/encryption/keys.ts';
import { client, type Endpoint } from './endpoint.ts';
import { type Call, send } from './load.ts';

type Person = { userId: string; token: string };
type Landscape = {
  url: string;
  busy: Person;
  other: Person;
  /** A public room. */
  roomId: string;
};

const password = 'correct horse battery staple';
const post = (path: string, body: unknown = {}): Call => ({ method: 'POST', path: client + path, body });
const registration = (username: string, more: object = {}) =>
  post('/register', { username, password, auth: { type: 'm.login.dummy' }, ...more });
const login = (user: string) =>
  post('/login', {
    ...{ type: 'm.login.password', identifier: { type: 'm.id.user', user }, password },
    ...{ device_id: 'BENCH', refresh_token: true },
  });

export function accountEndpoints({ url, busy, other, roomId }: Landscape): Record<string, Endpoint> {
  const ask = async (call: Call, token?: string) =>
    JSON.parse(await send(url, token === undefined ? call : { ...call, token }));
  const as = (token: string, call: Call): Call => ({ ...call, token });
  let somebody: Promise<string> | undefined;
  const theirName = () => {
    somebody ??= ask(registration('somebody')).then(({ user_id }) => user_id);
    return somebody;
  };
  return {
    registration: (index) => registration(`newcomer${index}`, { inhibit_login: true }),
    'login with a password': async () => login(await theirName()),
    'token, refreshed': async (_, last) => {
      const { refresh_token } =
        last === undefined ? await ask(registration('lasting', { refresh_token: true })) : JSON.parse(last);
      return post('/refresh', { refresh_token });
    },
    'cross-signing keys, uploaded': async (index) => {
      const { user_id, access_token } = await ask(registration(`signer${index}`));
      return as(access_token, post('/keys/device_signing/upload', crossSigning(user_id).upload));
    },
    'room, forgotten': async () => {
      await ask(post(`/join/${roomId}`), other.token);
      await ask(post(`/rooms/${roomId}/leave`), other.token);
      return as(other.token, post(`/rooms/${roomId}/forget`));
    },
    'room, upgraded': async () => {
      const { room_id } = await ask(post('/createRoom', { preset: 'public_chat', name: 'Old' }), busy.token);
      return post(`/rooms/${room_id}/upgrade`, { new_version: '11' });
    },
  };
}
