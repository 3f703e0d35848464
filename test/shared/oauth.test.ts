import { expect, test } from 'vitest';
import type { OutgoingRequest } from '../../shared/connection.ts';
import { refreshTokens, revoke } from '../../shared/oauth.ts';

const oauth = {
  clientId: 'console',
  tokenEndpoint: 'https://auth.example.org/token',
  revocationEndpoint: 'https://auth.example.org/revoke',
  refreshToken: 'refresh',
};

/** Returns a `send` with a fixed reply, and the forms that were sent. */
function replying(status: number, body: unknown) {
  const forms: Record<string, string>[] = [];
  const send = async ({ content }: OutgoingRequest) => {
    forms.push(Object.fromEntries(new URLSearchParams(new TextDecoder().decode(content?.bytes))));
    return { status, body };
  };
  return { send, forms };
}

test.each([
  ['refresh', { token: 'refresh', token_type_hint: 'refresh_token' }],
  [undefined, { token: 'access', token_type_hint: 'access_token' }],
])('a session is revoked by its longest-lived token (refresh token: %s)', async (refreshToken, expected) => {
  const { send, forms } = replying(200, {});
  await revoke(send, { accessToken: 'access', oauth: { ...oauth, refreshToken } });
  expect(forms).toEqual([{ ...expected, client_id: 'console' }]);
});

test.each(['invalid_grant', 'invalid_client', 'unauthorized_client'])(
  '%s ends the session',
  async (error) => {
    expect(await refreshTokens(replying(400, { error }).send, oauth, 0)).toBe(undefined);
  },
);

test('another refusal of the refresh token ends nothing', async () => {
  const { send } = replying(503, { error: 'temporarily_unavailable' });
  await expect(refreshTokens(send, oauth, 0)).rejects.toThrow();
});

test('new tokens are valid from now', async () => {
  const { send, forms } = replying(200, { access_token: 'next', token_type: 'Bearer', expires_in: 300 });
  expect(await refreshTokens(send, oauth, 1_000)).toEqual({
    accessToken: 'next',
    oauth: { ...oauth, expiresAt: 301_000 },
  });
  expect(forms).toEqual([{ grant_type: 'refresh_token', refresh_token: 'refresh', client_id: 'console' }]);
});
