import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../until.ts';
import { startHomeserver, type TestHomeserver } from '../homeserver.ts';
import { connectTo } from '../raw-connection.ts';

const lines: string[] = [];
let homeserver: TestHomeserver;
beforeAll(async () => {
  homeserver = await startHomeserver({ log: (line) => lines.push(line) });
});
afterAll(() => homeserver.remove());

let asked = 0;

/** Returns the log line of a request for a path, sent exactly as given. */
async function lineFor(path: string, method = 'GET'): Promise<string> {
  const mark = `mark-${asked++}`;
  const separator = path.includes('?') ? '&' : '?';
  const connection = await connectTo(homeserver.url);
  await connection.write(
    `${method} ${path}${separator}${mark} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
  );
  await connection.closed;
  return until(() => {
    const line = lines.find((candidate) => new RegExp(`${mark}\\b`).test(candidate));
    expect(line).toBeDefined();
    return line ?? '';
  });
}

const whoami = '/_matrix/client/v3/account/whoami';

test.each([
  `${whoami}?x=1;access_token=TOPSECRET`,
  `${whoami};access_token=TOPSECRET`,
  `${whoami}?x=1?access_token=TOPSECRET`,
  `${whoami}?x=1%26access_token=TOPSECRET`,
  `${whoami}?x=1%2526access_token%253DTOPSECRET`,
  `${whoami}?x=1%3Baccess_token%3DTOPSECRET`,
  `${whoami}?x%26access_token%3DTOPSECRET`,
  `${whoami}?acc%2565ss_token=TOPSECRET`,
  `${whoami}?%61ccess_token=TOPSECRET`,
  `${whoami}?ACCESS_TOKEN=TOPSECRET`,
  `${whoami}?access_token[]=TOPSECRET`,
  `${whoami}?access_token%5B0%5D=TOPSECRET`,
  `${whoami}?+access_token=TOPSECRET`,
  `${whoami}?%20access_token%09=TOPSECRET`,
  `${whoami}?access%5Ftoken=TOPSECRET`,
  `${whoami}?access-token=TOPSECRET`,
  `${whoami}?accessToken=TOPSECRET`,
  `${whoami}?access_token==TOPSECRET`,
  `${whoami}?access_token=a;TOPSECRET`,
  `${whoami}?access_token=a?TOPSECRET`,
  `${whoami}?a=b=access_token=TOPSECRET`,
  `${whoami}?access_token=x%00TOPSECRET`,
  `${whoami}?access_token=x%ZZTOPSECRET`,
  `${whoami}?access_token:TOPSECRET`,
  `${whoami}?{"access_token":"TOPSECRET"}`,
  `${whoami}?Authorization=Bearer%20TOPSECRET`,
  `${whoami}?Bearer+TOPSECRET`,
  `${whoami}?loginToken=TOPSECRET`,
  `${whoami}?refresh_token=TOPSECRET`,
  `${whoami}?id_access_token=TOPSECRET`,
  `${whoami}?client_secret=TOPSECRET`,
  `${whoami}?password=TOPSECRET`,
  `${whoami}?redirectUrl=https://x.example/?loginToken%3DTOPSECRET`,
  `${whoami}?code=TOPSECRET`,
  `${whoami}?a=1&loginCode=TOPSECRET`,
  `${whoami}?x;ticket=TOPSECRET`,
  `${whoami}?redirectUrl=https%3A%2F%2Fx.example%2Fcb%3Fcode%3DTOPSECRET`,
  `${whoami}?redirectUrl=https://x.example/cb?a=b%26code%3DTOPSECRET`,
  `/nowhere/access_token=TOPSECRET`,
  `/nowhere/access_token%3DTOPSECRET`,
  `/_synapse/admin/v1/registration_tokens/TOPSECRET`,
  `/_synapse/admin/v1/registration_tokens/TOPSECRET/more`,
  `/_synapse/admin/v1/registration_tokens//TOPSECRET`,
  `//_synapse/admin/v1/registration_tokens/TOPSECRET`,
  `http://localhost${whoami}?access_token=TOPSECRET`,
  `http://user:TOPSECRET@localhost${whoami}`,
])('the log hides the secret of %s', async (path) => {
  const line = await lineFor(path);
  expect(line).not.toContain('TOPSECRET');
  expect(line).toContain('<redacted>');
});

test.each([
  [`${whoami}?next_token=1&state_key=2`, 'next_token=1&state_key=2'],
  [`/_synapse/admin/v2/users?from=0&limit=10&name=token`, 'from=0&limit=10&name=token'],
  [`${whoami}?status_code=1&country_code=DE&code_challenge=x`, 'status_code=1&country_code=DE'],
  [`/_matrix/client/v3/publicRooms?since=a;b`, 'since=a;b'],
])('and shows all of %s', async (path, shown) => {
  expect(await lineFor(path)).toContain(shown);
});
