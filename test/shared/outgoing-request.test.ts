import { expect, test } from 'vitest';
import { outgoingRequest, requestUrl } from '../../shared/outgoing-request.ts';

const server = { baseUrl: 'https://example.org', dialect: 'matrix' as const };
const vendor = { baseUrl: 'https://example.org/under', dialect: 'vendor' as const };

test.each([
  ['a list', server, '/_synapse/admin/v1/event_reports?from=0&limit=10'],
  ['a user id', server, '/_synapse/admin/v2/users/%40alice%3Aexample.org'],
  ['an event id with a slash', server, '/_matrix/client/v3/rooms/!r%3Aexample.org/event/%24a%2Fb%2F%2Fc'],
  ['a filter that is a path', server, '/_synapse/admin/v1/rooms?search_term=..%2F..%2Flogin'],
  ['versions', server, '/_matrix/client/versions'],
  ['the other dialect', vendor, '/_service/admin/v1/event_reports/1'],
  ['registration tokens, which administrators manage', server, '/_synapse/admin/v1/registration_tokens'],
  ['a registration token, whatever it is called', server, '/_synapse/admin/v1/registration_tokens/login'],
  ['one of the other dialect', vendor, '/_service/admin/v1/registration_tokens/register'],
  ['a registration token with a slash', server, '/_synapse/admin/v1/registration_tokens/x%2Flogin'],
  ['a user ID of dots', server, '/_synapse/admin/v2/users/%40..%2F..%2Fetc%2Fpasswd%3Aexample.org'],
  ['a user ID with a dot', server, '/_synapse/admin/v2/users/%40a%2F.%2Fb%3Aexample.org'],
  ['a user ID named like an endpoint', server, '/_synapse/admin/v1/suspend/%40a%2Flogin%2Fb%3Aexample.org'],
  ['a user ID with empty parts', server, '/_synapse/admin/v2/users/%40a%2F%2Fb%3Aexample.org'],
  ['a user ID with a backslash', server, '/_synapse/admin/v2/users/%40..%5C..%5Ca%3Aexample.org'],
  ['a user ID with an escape', server, '/_synapse/admin/v2/users/%40a%252e%252fb%3Aexample.org'],
  ['an alias with an escape', server, '/_matrix/client/v3/directory/room/%23100%2541%3Aexample.org'],
  ['an alias of dots', server, '/_matrix/client/v3/directory/room/%23a%2F..%2Fb%3Aexample.org'],
  ['an alias with a line break', server, '/_matrix/client/v3/directory/room/%23a%0Ab%3Aexample.org'],
  ['a device named like an endpoint', server, '/_matrix/client/v3/devices/login'],
  ['the device of a user named like an endpoint', server, '/_synapse/admin/v2/users/%40login%3Aa/devices'],
])('sends %s', (_, connection, path) => {
  expect(requestUrl(connection, path)).toBe(connection.baseUrl + path);
});

test.each([
  ['another server', '//evil.example/_synapse/admin/v1/x'],
  ['a whole address', 'https://evil.example/_synapse/admin/v1/x'],
  ['a user and another host', '/@evil.example/_synapse/admin/v1/x'],
  ['a port that is a path', ':8080/_synapse/admin/v1/x'],
  ['dots', '/_synapse/admin/../../secret'],
  ['dots that are encoded', '/_synapse/admin/%2e%2e/%2E%2E/secret'],
  ['a single dot', '/_synapse/admin/./v1/event_reports'],
  ['an empty segment', '/_synapse/admin//v1/event_reports'],
  ['a backslash', '/_synapse/admin/v1\\..\\secret'],
  ['a line break', '/_synapse/admin/v1/event_reports\r\nHost: evil.example'],
  ['a tab', '/_synapse/admin/v1/\tevent_reports'],
  ['a space', '/_synapse/admin/v1/event reports'],
  ['a fragment', '/_synapse/admin/v1/event_reports#x'],
  ['letters that only look the same', '/_synapse/admin/v1/event_reportｓ'],
  ['encoding that is broken', '/_synapse/admin/v1/%zz'],
  ["the dialect that the server doesn't speak", '/_service/admin/v1/event_reports'],
  ['a prefix of a prefix', '/_synapsex/admin/v1/event_reports'],
  ['paths outside of the APIs', '/_synapse/client/new_user_consent'],
  ['more than any address is', `/_synapse/${'admin/'.repeat(3000)}x`],
  ['the root', '/'],
  ['nothing', ''],
])("doesn't send %s", (_, path) => {
  expect(() => requestUrl(server, path)).toThrow(expect.objectContaining({ code: 'refused' }));
});

test.each([
  ['logging in', '/_matrix/client/v3/login'],
  ['logging in, the first version', '/_matrix/client/r0/login'],
  ['logging in, with a query', '/_matrix/client/v3/login?x=1'],
  ['logging in, with letters encoded', '/_matrix/client/v3/%6cogi%6e'],
  ['logging in, in capitals', '/_matrix/client/v3/LOGIN'],
  ['logging in, in one segment', '/_matrix/client/v3%2Flogin'],
  ['logging in, behind a proxy that decodes paths', '/_matrix/client/v3/join/!x%2F..%2F..%2Flogin'],
  ['logging in, the oldest path', '/_matrix/client/api/v1/login'],
  ['a login token', '/_matrix/client/v1/login/get_token'],
  ['an unstable login token', '/_matrix/client/unstable/org.matrix.msc3882/login/get_token'],
  ['single sign-on', '/_matrix/client/v3/login/sso/redirect'],
  ['registering', '/_matrix/client/v3/register'],
  ['refreshing a token', '/_matrix/client/v3/refresh'],
  ['an OpenID token', '/_matrix/client/v3/user/%40a%3Ab/openid/request_token'],
  ['ending the session', '/_matrix/client/v3/logout'],
  ['ending all sessions', '/_matrix/client/v3/logout/all'],
  ['logging in as a user', '/_synapse/admin/v1/users/%40alice%3Aexample.org/login'],
  [
    'logging in as a user, behind a proxy that decodes paths',
    '/_synapse/admin/v1/join/!x%2F..%2F..%2Fusers%2F%40alice%3Aa%2Flogin',
  ],
  ['logging in as a user whose ID has a slash', '/_synapse/admin/v1/users/%40a%2Fb%3Aexample.org/login'],
  ['registering with the shared secret', '/_synapse/admin/v1/register'],
])('leaves %s to the session store', (_, path) => {
  expect(() => requestUrl(server, path)).toThrow(expect.objectContaining({ code: 'refused' }));
});

const withMas = { ...server, mas: { url: 'https://auth.example.org/under', accountId: '01J' } };

test("sends requests for MAS's admin API only to the session's MAS", () => {
  const path = '/api/admin/v1/users/by-username/login?page%5Bfirst%5D=1';
  expect(requestUrl(withMas, path)).toBe(withMas.mas.url + path);
  expect(requestUrl(withMas, '/_synapse/admin/v1/x')).toBe(`${server.baseUrl}/_synapse/admin/v1/x`);
  for (const [connection, refused] of [
    [server, path],
    [withMas, '/api/admin/v2/users'],
    [withMas, '/oauth2/token'],
    [withMas, '/api/admin/v1/../../../oauth2/token'],
    [withMas, '/api/admin/v1/users/..%2F..%2F..%2F..%2Foauth2%2Ftoken'],
    [withMas, '/api/admin/v1/users/%2e%2e%2f%2e%2e%2f%2e%2e%2f%2e%2e%2fgraphql'],
  ] as const) {
    expect(() => requestUrl(connection, refused)).toThrow(expect.objectContaining({ code: 'refused' }));
  }
});

const session = {
  connection: { ...server, id: 'x', userId: '@admin:example.org', local: false },
  accessToken: 'secret',
};
const path = '/_synapse/admin/v2/users/%40alice%3Aexample.org';

test.each(['POST', 'PUT', 'DELETE'] as const)(
  '%s has its body, and a longer timeout than a read',
  (method) => {
    const body = { erase: true };
    const { timeoutMs = 0, ...request } = outgoingRequest(session, { method, path, body });
    expect(request).toEqual({ method, url: server.baseUrl + path, accessToken: 'secret', body });
    expect(timeoutMs).toBeGreaterThan(10_000);
  },
);

test.each([
  ['a look with a body', { method: 'GET', path, body: {} }],
  ['a sparse body', { method: 'PUT', path, body: new Array(2 ** 31) }],
  ['a body of parts that are shared', { method: 'PUT', path, body: shared(40) }],
  ['a body that contains itself', { method: 'PUT', path, body: holdingItself() }],
  ['a body that no endpoint needs', { method: 'PUT', path, body: { text: 'x'.repeat(2 ** 21) } }],
  ['a change outside of the APIs', { method: 'DELETE', path: '/_synapse/other', body: undefined }],
] as const)('does not send %s', (_, request) => {
  expect(() => outgoingRequest(session, request)).toThrow(expect.objectContaining({ code: 'refused' }));
});

/** Returns a small value that is exponentially large as JSON. */
function shared(depth: number): unknown {
  let body: unknown = 'x';
  for (let times = 0; times < depth; times++) body = [body, body];
  return body;
}

function holdingItself(): unknown {
  const body: Record<string, unknown> = {};
  body.itself = body;
  return body;
}
