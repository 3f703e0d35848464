import type { SignInMethods } from '../../../shared/browser-sign-in.ts';
import type { Credentials } from '../../../shared/connection.ts';

export const methods = ['browser', 'code', 'password', 'jwt', 'access_token'] as const;
export type Method = (typeof methods)[number];

export const methodNames: Record<Method, string> = {
  browser: /*i18n*/ 'Browser',
  code: /*i18n*/ 'Other device',
  password: /*i18n*/ 'Password',
  jwt: /*i18n*/ 'JWT',
  access_token: /*i18n*/ 'Access token',
};

/** Returns the server's sign-in methods; until known, those with a form. */
export const offeredMethods = (supported: SignInMethods | undefined): Method[] =>
  methods.filter((method) => {
    if (method === 'access_token') return true;
    return supported ? Boolean(supported[method]) : method !== 'browser' && method !== 'code';
  });

export type CredentialFields = { user: string; password: string; token: string };

export function credentialsOf(method: Method, { user, password, token }: CredentialFields): Credentials {
  switch (method) {
    case 'browser':
      return { type: 'browser' };
    case 'code':
      return { type: 'code' };
    case 'password':
      return { type: 'password', user: user.trim(), password };
    case 'jwt':
      return { type: 'jwt', token: token.trim() };
    case 'access_token':
      return { type: 'access_token', accessToken: token.trim() };
  }
}
