/** Accounts delegated to MAS: the console's requests against a stand-in. */

import { i18n } from '@lingui/core';
import { QueryClient } from '@tanstack/react-query';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isExpected } from '../../renderer/api/lenient.ts';
import type { MasAccount } from '../../renderer/api/mas/mas.ts';
import { masList } from '../../renderer/api/mas/mas.ts';
import { masIdentitiesQuery } from '../../renderer/api/mas/mas-identities.ts';
import { endMasSessions } from '../../renderer/api/mas/mas-sessions.ts';
import * as tokens from '../../renderer/api/registration-tokens.ts';
import { isAdministrator, listAdministrators } from '../../renderer/api/team-room.ts';
import { loadUser, userDevicesQuery } from '../../renderer/api/user.ts';
import * as userChanges from '../../renderer/api/user-changes.ts';
import { stateOf } from '../../renderer/features/tokens/token-columns.tsx';
import type { DeviceStorage } from '../../renderer/persisted.ts';
import type { ConsoleHost } from '../../renderer/transport/host.ts';
import { reachabilityStore } from '../../renderer/transport/reachability.ts';
import type { Server } from '../../renderer/transport/server.ts';
import { connectedServers } from '../../renderer/transport/servers.ts';
import { isAllowed } from '../../shared/allowed-requests.ts';
import { beginBrowserSignIn, finishBrowserSignIn } from '../../shared/browser-sign-in.ts';
import { outgoingRequest } from '../../shared/outgoing-request.ts';
import { type MasStandIn, send, startMas } from '../mas-stand-in.ts';
import { startHomeserver, type TestHomeserver } from '../server/homeserver.ts';

i18n.loadAndActivate({ locale: 'en', locales: ['en'], messages: {} });
let mas: MasStandIn;
let homeserver: TestHomeserver;
let server: Server;

beforeAll(async () => {
  mas = await startMas();
  homeserver = await startHomeserver({
    config: { externalAuthentication: { endpoint: mas.url, secret: mas.secret } },
  });
  const { url, pending } = await beginBrowserSignIn(send, homeserver.url, {
    clientUri: 'https://gatehouse.example/',
    redirectUri: 'http://127.0.0.1:4711/',
    isNative: true,
    responseMode: 'query',
  });
  const back = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
  const signedIn = await finishBrowserSignIn(send, pending, new URL(back).searchParams, Date.now());
  const connection = {
    id: 'x',
    baseUrl: signedIn.server.baseUrl,
    dialect: signedIn.server.dialect.name,
    userId: signedIn.userId,
    local: false,
    ...(signedIn.mas && { mas: signedIn.mas }),
  };
  const host: Pick<ConsoleHost, 'request'> = {
    request(_, request) {
      // The allowlist of the desktop app.
      if (!isAllowed(connection, request)) throw new Error(`${request.method} ${request.path} isn't allowed`);
      return send(outgoingRequest({ connection, accessToken: signedIn.accessToken }, request));
    },
  };
  server = connectedServers(host as ConsoleHost, reachabilityStore(), {} as DeviceStorage).of(connection);
});
afterAll(async () => {
  await homeserver.remove();
  await mas.close();
});

const alice = '@alice:localhost';
/** Known to the homeserver only, like users of application services. */
const bob = '@bob:localhost';
let id: string;

beforeEach(() => {
  mas.admin.passwords = true;
  const known = mas.admin.find('users', { username: 'alice' });
  if (known) mas.admin.lists.users.delete(known.id);
  id = mas.admin.addUser('alice').id;
});

const account = () => mas.admin.lists.users.get(id) ?? {};
const { signal } = new AbortController();
const joined = (userId: string) => loadUser(server, userId, signal);

test("joins the homeserver's and MAS's data on a user, with MAS's taking precedence", async () => {
  expect(await joined(alice)).toMatchObject({ name: alice, locked: false, mas: { id, locked: false } });
  Object.assign(account(), { locked_at: '2026-01-01T00:00:00Z', admin: true });
  expect(await joined(alice)).toMatchObject({ locked: true, deactivated: false, admin: true });
  expect(await joined(bob)).toMatchObject({ name: bob, mas: null });
});

test("shows the homeserver's data while MAS is unreachable", async () => {
  const away = { ...server, mas: { ...server.mas, get: () => Promise.reject(new Error('away')) } };
  expect(await loadUser(away as unknown as Server, alice, signal)).toMatchObject({ name: alice });
});

test('locks, deactivates and reactivates in MAS, and reports the previous state', async () => {
  expect(await userChanges.setLocked(server, alice, true)).toBe(false);
  expect(await userChanges.setLocked(server, alice, true)).toBe(true);
  expect(account().locked_at).toEqual(expect.any(String));
  await userChanges.setLocked(server, alice, false);
  expect(account().locked_at).toBeNull();
  await userChanges.deactivate(server, alice, false);
  expect(account().deactivated_at).toEqual(expect.any(String));
  await userChanges.reactivate(server, alice, 'correct horse battery');
  expect(account().deactivated_at).toBeNull();
  expect(mas.admin.passwordOf.get('alice')).toBe('correct horse battery');
  expect(await userChanges.setServerAdmin(server, alice, true)).toBe(false);
  expect(account().admin).toBe(true);
});

test('reports if MAS changed nothing', async () => {
  const { answer } = mas.admin;
  mas.admin.answer = (method, path, ...rest) => answer(method, path.replace('/lock', '/unlock'), ...rest);
  try {
    await expect(userChanges.setLocked(server, alice, true)).rejects.toMatchObject({
      code: 'unexpected_reply',
    });
  } finally {
    mas.admin.answer = answer;
  }
});

test('a user without a MAS account can only be changed on the homeserver', async () => {
  await userChanges.setLocked(server, bob, true);
  expect((await joined(bob)).locked).toBe(true);
  await userChanges.setLocked(server, bob, false);
  await expect(userChanges.setServerAdmin(server, bob, true)).rejects.toThrow('has no account');
  await expect(
    userChanges.resetPassword(server, bob, { password: 'x'.repeat(20), endSessions: false }),
  ).rejects.toThrow('has no account');
});

test('sets a password and ends all sessions', async () => {
  const kinds = ['compat-sessions', 'user-sessions', 'oauth2-sessions'] as const;
  const sessions = [
    ...kinds.map((kind) => mas.admin.add(kind, { user_id: id, finished_at: null })),
    mas.admin.add('personal-sessions', { actor_user_id: id, revoked_at: null }),
  ];
  const other = mas.admin.add('user-sessions', { user_id: 'another', finished_at: null });
  const password = 'correct horse battery';
  await userChanges.resetPassword(server, alice, { password, endSessions: true });
  expect(mas.admin.passwordOf.get('alice')).toBe(password);
  expect(sessions.map(({ attributes: of }) => of.finished_at ?? of.revoked_at)).not.toContain(null);
  expect(other.attributes.finished_at).toBeNull();
});

test('lists all sessions with their devices and ends them in MAS', async () => {
  const scope = 'urn:matrix:client:api:* urn:matrix:client:device:LAPTOP1234';
  const session = mas.admin.add('oauth2-sessions', { user_id: id, scope, finished_at: null });
  const browser = mas.admin.add('user-sessions', { user_id: id, finished_at: null, user_agent: 'Firefox' });
  mas.admin.add('compat-sessions', { user_id: id, device_id: 'OLD', finished_at: '2026-01-01T00:00:00Z' });
  const listed = await new QueryClient().fetchQuery(userDevicesQuery(server, alice));
  expect(listed.filter(isExpected).filter(({ mas }) => mas)).toEqual([
    expect.objectContaining({ device_id: browser.id, mas: { kind: 'user-sessions', id: browser.id } }),
    expect.objectContaining({ device_id: 'LAPTOP1234', mas: { kind: 'oauth2-sessions', id: session.id } }),
  ]);
  await userChanges.endSession(server, alice, 'LAPTOP1234');
  expect(session.attributes.finished_at).toEqual(expect.any(String));
  expect(browser.attributes.finished_at).toBeNull();
});

test("one's own session ends last, as the others couldn't be ended without it", async () => {
  const ended: string[] = [];
  const lists: Record<string, object[]> = {
    'compat-sessions': [
      { id: 'own', attributes: { device_id: 'CONSOLE' } },
      { id: 'other', attributes: { device_id: 'PHONE' } },
    ],
  };
  const one = {
    connection: { userId: alice },
    getChat: async () => ({ device_id: 'CONSOLE' }),
    mas: {
      get: async (_: unknown, path: string) => ({ data: lists[path.split(/[/?]/)[1] ?? ''] ?? [] }),
      send: async (_: string, __: unknown, path: string) => void ended.push(path.split('/')[2] ?? ''),
    },
  } as unknown as Server;
  expect(await endMasSessions(one, alice, { id: 'A' } as MasAccount)).toBe(2);
  expect(ended).toEqual(['other', 'own']);
});

test("passes on MAS's error message", async () => {
  const reset = (password: string) =>
    userChanges.resetPassword(server, alice, { password, endSessions: false });
  await expect(reset('short')).rejects.toMatchObject({
    code: 'refused',
    values: { said: 'Password is too weak' },
  });
  mas.admin.passwords = false;
  await expect(reset('long enough')).rejects.toMatchObject({
    code: 'refused',
    values: { said: 'Password auth is disabled' },
  });
});

test('creates a user with password and admin rights, and reports partial failures', async () => {
  const dora = '@dora:localhost';
  const password = 'correct horse battery';
  await userChanges.createUser(server, dora, {
    admin: true,
    password,
    threepids: [{ medium: 'email', address: 'dora@example.org' }],
  });
  expect(mas.admin.find('users', { username: 'dora', admin: true })).toBeDefined();
  expect(mas.admin.passwordOf.get('dora')).toBe(password);
  expect(mas.admin.find('user-emails', { email: 'dora@example.org' })).toBeDefined();
  await expect(userChanges.createUser(server, dora, { admin: false })).rejects.toMatchObject({
    values: { said: 'User already exists' },
  });
  await expect(
    userChanges.createUser(server, '@eve:localhost', { admin: false, password: 'short' }),
  ).rejects.toThrow(/@eve:localhost was created, but .*too weak/);
});

test('adds and removes emails and upstream links', async () => {
  const { id: provider } = mas.admin.add('upstream-oauth-providers', {
    human_name: 'Example SSO',
    issuer: 'https://sso.example.org/',
  });
  const mail = { medium: 'email', address: 'alice@example.org' } as const;
  const link = { provider: 'example sso', id: 'alice-at-work' };
  for (const identity of [mail, link]) {
    expect(await userChanges.setIdentity(server, alice, identity, true)).toBe(false);
    expect(await userChanges.setIdentity(server, alice, identity, true)).toBe(true);
  }
  const { mas: account } = await joined(alice);
  const listed = () => new QueryClient().fetchQuery(masIdentitiesQuery(server, alice, account as MasAccount));
  expect(await listed()).toMatchObject([
    { identity: mail },
    { identity: { provider, id: 'alice-at-work' }, provider: 'Example SSO' },
  ]);
  for (const identity of [mail, { provider, id: 'alice-at-work' }]) {
    expect(await userChanges.setIdentity(server, alice, identity, false)).toBe(true);
  }
  expect(await listed()).toEqual([]);
  await expect(userChanges.setIdentity(server, alice, { provider: 'other', id: 'x' }, true)).rejects.toThrow(
    'Known providers: Example SSO',
  );
  await expect(userChanges.setIdentity(server, bob, mail, true)).rejects.toThrow('has no account');
});

test('lists, creates, changes, revokes and restores registration tokens', async () => {
  const list = async () =>
    (await new QueryClient().fetchQuery(tokens.registrationTokensQuery(server))).filter(isExpected);
  const time = Date.parse('2030-01-01T00:00:00Z');
  const made = await tokens.createToken(server, { token: 'welcome', uses_allowed: 3, expiry_time: time });
  expect(await list()).toEqual([
    { token: 'welcome', uses_allowed: 3, pending: 0, completed: 0, expiry_time: time, mas: made.mas },
  ]);
  await tokens.changeToken(server, made, { uses_allowed: null, expiry_time: null });
  expect(await list()).toMatchObject([{ uses_allowed: null, expiry_time: null }]);
  await tokens.changeToken(server, made, { uses_allowed: 0, expiry_time: null });
  expect(await list()).toMatchObject([{ uses_allowed: 0 }]);
  const key = made.mas ?? { id: '' };
  expect(await tokens.setRevoked(server, key, true)).toBe(false);
  expect(await tokens.setRevoked(server, key, true)).toBe(true);
  const [revoked] = await list();
  expect(revoked && stateOf(revoked, Date.now())).toBe('revoked');
  await tokens.setRevoked(server, key, false);
  expect(await list()).toMatchObject([{ mas: { revoked: false } }]);
});

test('asks MAS who is an admin', async () => {
  const { signal } = new AbortController();
  const isAdmin = (name: string) => isAdministrator(server, `@${name}:localhost`, signal);
  mas.admin.addUser('frank', true);
  mas.admin.addUser('grace');
  expect(await Promise.all(['admin', 'frank', 'grace', 'nobody'].map(isAdmin))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const all = await listAdministrators(server, signal);
  expect([all.has('@frank:localhost'), all.has('@grace:localhost')]).toEqual([true, false]);
});

test('reads a list to its end, page by page', async () => {
  for (let n = 0; n < 205; n++) mas.admin.add('user-emails', { user_id: id, email: `${n}@example.org` });
  mas.admin.add('user-emails', { user_id: 'another', email: 'another@example.org' });
  const Email = Type.Object({ email: Type.String() });
  const emails = await masList(server, '/user-emails', Email, { user: id });
  expect(emails).toHaveLength(205);
  expect(new Set(emails.map((each) => isExpected(each) && each.attributes.email)).size).toBe(205);
});
