import type { Credentials } from '../../../shared/connection.ts';

export const methods = ['password', 'jwt', 'access_token'] as const;
export type Method = (typeof methods)[number];

export const methodNames: Record<Method, string> = {
  password: /*i18n*/ 'Password',
  jwt: /*i18n*/ 'JWT',
  access_token: /*i18n*/ 'Access token',
};

export type CredentialFields = { user: string; password: string; token: string };

export function credentialsOf(method: Method, { user, password, token }: CredentialFields): Credentials {
  switch (method) {
    case 'password':
      return { type: 'password', user: user.trim(), password };
    case 'jwt':
      return { type: 'jwt', token: token.trim() };
    case 'access_token':
      return { type: 'access_token', accessToken: token.trim() };
  }
}
