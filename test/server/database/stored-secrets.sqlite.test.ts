import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createUser } from '../../../server/identity/accounts/create-user.ts';
import { createLoginToken } from '../../../server/identity/login/login-tokens.ts';
import { openSession } from '../../../server/identity/sessions/sessions.ts';
import { startHomeserver } from '../homeserver.ts';

test('the database contains no token and no password', async () => {
  const homeserver = await startHomeserver();
  const { services } = homeserver;
  const password = 'correct horse battery';
  const userId = await createUser(services, { localpart: 'dora', password });
  const { accessToken } = await openSession(services, userId);
  const loginToken = await createLoginToken(services, userId);

  const file = `${homeserver.config.dataDir}/homeserver.db`;
  const bytes = [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join('');
  expect(bytes).toContain('@dora:localhost');
  for (const secret of [password, accessToken, loginToken]) expect(bytes).not.toContain(secret);
  await homeserver.remove();
});
