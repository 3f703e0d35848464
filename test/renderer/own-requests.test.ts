/** Requests that the inspector attributes to the console, and not to the user's tests. */
import { expect, test } from 'vitest';
import { isOwn } from '../../renderer/features/local-server/requests/request-search.ts';
import type { InspectedRequest } from '../../shared/workbench/inspector.ts';

const origin = 'http://127.0.0.1:8008';
const page = { origin, userAgent: 'Browser/1', userId: '@admin:localhost', isApp: false };

type Given = { method?: string; path?: string; user?: string | null; headers?: Record<string, string> };

const request = ({
  method = 'GET',
  path = '/_synapse/admin/v1/event_reports',
  user = page.userId,
  headers,
}: Given) =>
  ({
    number: 1,
    received_ts: 0,
    method,
    path,
    user_id: user,
    request: {
      headers: Object.entries({ 'user-agent': page.userAgent, ...headers }),
      body: null,
      size: 0,
      cut: false,
    },
    reply: { status: 200, headers: [], body: null, size: 0, cut: false },
    ms: 1,
    database: { statements: 0, ms: 0, asked: [] },
  }) satisfies InspectedRequest;

const here = { 'sec-fetch-site': 'same-origin' };

test.each<[string, boolean, Given]>([
  ['a request of the page', true, { headers: here }],
  ['a change by the page', true, { method: 'PUT', headers: { ...here, origin } }],
  ['a request before sign-in', true, { user: null, headers: here }],
  ['a file of the console', true, { path: '/console/assets/index.js', user: null }],
  ['a login that is tried from here', false, { method: 'POST', user: null, headers: { ...here, origin } }],
  ['a request as another user', false, { user: '@newcomer:localhost', headers: here }],
  ['curl with the same session', false, { headers: { 'user-agent': 'curl/8' } }],
  ["a program with that browser's user agent", false, {}],
  [
    'a client from elsewhere in the same browser',
    false,
    { headers: { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:5173' } },
  ],
  [
    'an address that is typed into the same browser',
    false,
    { user: null, headers: { 'sec-fetch-site': 'none' } },
  ],
])('%s: %s', (_, own, given) => {
  expect(isOwn(request(given), page)).toBe(own);
});

test('requests of the app have no origin', () => {
  expect(isOwn(request({}), { ...page, isApp: true })).toBe(true);
  expect(isOwn(request({ headers: here }), { ...page, isApp: true })).toBe(false);
});
