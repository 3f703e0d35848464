/** Sign-in methods and what is sent for each. */
import { expect, test } from 'vitest';
import {
  credentialsOf,
  methodNames,
  methods,
  offeredMethods,
} from '../../renderer/features/connect/credentials.ts';
import type { SignInMethods } from '../../shared/browser-sign-in.ts';

const typed = { user: ' @ada:x\n', password: ' secret ', token: '\ttoken ' };

test.each([
  ['browser', { type: 'browser' }],
  ['code', { type: 'code' }],
  // Spaces may be part of a password, but not of a name or token.
  ['password', { type: 'password', user: '@ada:x', password: ' secret ' }],
  ['jwt', { type: 'jwt', token: 'token' }],
  ['access_token', { type: 'access_token', accessToken: 'token' }],
] as const)('the fields of %s are sent as %j', (method, expected) => {
  expect(credentialsOf(method, typed)).toEqual(expected);
});

test('an access token is always offered, and until the server is known every method with a form', () => {
  expect(offeredMethods(undefined)).toEqual(['password', 'jwt', 'access_token']);
  const offered = (supported: Partial<Record<keyof SignInMethods, unknown>>) =>
    offeredMethods(supported as unknown as SignInMethods);
  expect(offered({})).toEqual(['access_token']);
  expect(offered({ password: true, jwt: false })).toEqual(['password', 'access_token']);
  expect(offered({ browser: true, code: true })).toEqual(['browser', 'code', 'access_token']);
  expect(Object.keys(methodNames)).toEqual([...methods]);
});
