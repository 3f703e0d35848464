import { expect, test } from 'vitest';
import { withoutSecrets } from '../../electron/log-entry.ts';

test.each([
  'GET /_matrix/client/v3/sync?access_token=SECRET&timeout=0',
  'authorization: Bearer SECRET',
  '{"headers":{"authorization":"Bearer SECRET"}}',
  '{"access_token":"SECRET","user_id":"@a:b"}',
  "{ password: 'SECRET', user: 'ada' }",
  'registration_shared_secret: SECRET',
  '{"password":"horse SECRET \\"and SECRET","user":"ada"}',
  "{ new_password: 'horse SECRET', user: 'ada' }",
  'password: horse battery SECRET\nuser: ada',
  '"password_hash": "$2b$12$SECRET"',
  'Cookie: a=horse; b=SECRET',
  'x-api-key: SECRET',
  'postgres://gatehouse:SECRET@db.example/gatehouse',
  'http://127.0.0.1:8008/console/#login_token=SECRET',
  '?loginToken=SECRET',
  '?redirect=https%3A%2F%2Fexample.org%2F%3FloginToken%3DSECRET',
  '{"body":"{\\"password\\":\\"horse SECRET\\"}"}',
  'gatehouse users add dora --password SECRET',
  'password_config:\n  pepper: SECRET',
  'token syt_SECRET_abc_def was refused',
  'signed in with SECRETabcdefghijklmnopqrstuvwxyz0123456-_78.',
  'eyJhbGciOiJIUzI1NiJ9.SECRET.sig',
  '-----BEGIN PRIVATE KEY-----\nSECRET\n-----END PRIVATE KEY-----',
])('is redacted from a text: %s', (text) => {
  const written = withoutSecrets(text);
  expect(written).not.toContain('SECRET');
  expect(written).toContain('[');
});

test.each([
  'GET /_matrix/client/v3/sync?timeout=0',
  'Error: connect ECONNREFUSED 127.0.0.1:8008',
  'The token is missing',
  'gatehouse sign-in --token-file --server http://127.0.0.1:8008',
  'event $SECRETabcdefghijklmnopqrstuvwxyz0123456-_78 was redacted',
  '    at answer (file:///app/dist/electron/main.js:10:5)',
])("keeps what isn't a secret: %s", (text) => {
  expect(withoutSecrets(text)).toBe(text);
});
