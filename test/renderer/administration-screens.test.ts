/** What the administrators' screens show of the server's replies. */
import { describe, expect, test } from 'vitest';
import { broken, unrecognized } from './replying-server.ts';
import { changing, shownScreens } from './shown-screens.tsx';
import type { Interfere } from './team-consoles.ts';

const screens = shownScreens();
const hour = 3_600_000;

const answering =
  (path: RegExp, reply: Awaited<ReturnType<Interfere>>): Interfere =>
  async (request, forward) =>
    path.test(request.path.replace(/\?.*/, '')) ? reply : forward();

describe('Home', () => {
  const home = (path: RegExp, changes: object) =>
    screens.open('/', { interfere: changing(path, (body) => ({ ...body, ...changes })) });

  test.each([
    ['an older version', { server_version: '1.100.0' }, 'Version 1.161.0 available Show plan'],
    ['the newest version', { server_version: '1.161.0' }, 'No newer version known'],
    ['an unknown version', { server_version: 'nightly' }, 'nightly Gatehouse Version unknown to the planner'],
  ])('judges %s', async (_, version, expected) => {
    expect(await home(/\/server_version$/, version)).toContain(expected);
  });

  test.each([
    ['none', { enabled: true, current_updates: {} }, 'Background updates No updates pending'],
    ['paused', { enabled: false, current_updates: {} }, "Paused New updates won't start until you resume."],
    [
      'running',
      {
        enabled: true,
        current_updates: {
          master: { name: 'fill_index', total_item_count: 1, total_duration_ms: 1, average_items_per_ms: 1 },
        },
      },
      'Running Pending: fill_index. Wait before upgrading.',
    ],
  ])('shows background updates: %s', async (_, status, expected) => {
    expect(await home(/\/background_updates\/status$/, status)).toContain(expected);
  });

  test.each([
    ['soon over', Date.now() + hour, 'Signing key expiring'],
    ['good for a week', Date.now() + 170 * hour, 'Signing key valid'],
  ])('shows a signing key that is %s', async (_, validUntil, expected) => {
    expect(await home(/\/key\/v2\/server$/, { valid_until_ts: validUntil })).toContain(expected);
  });

  test('shows failed and overdue tasks', async () => {
    const task = (id: string, status: string, hours: number) => ({
      id,
      action: 'shutdown_and_purge_room',
      status,
      timestamp_ms: Date.now() - hours * hour,
      resource_id: null,
      result: null,
      error: null,
    });
    const tasks: Interfere = async ({ path }, forward) => {
      if (!path.includes('/scheduled_tasks')) return forward();
      const found = path.includes('status=failed')
        ? [task('a', 'failed', 2.5), task('b', 'failed', 50.5)]
        : path.includes('status=scheduled')
          ? [task('c', 'scheduled', 1)]
          : [];
      return { status: 200, body: { scheduled_tasks: found } };
    };
    expect(await screens.open('/', { interfere: tasks })).toMatch(
      /Tasks 2 failed .* 2h ago .* 2d ago Overdue 1 Running 0/,
    );
  });

  test.each([
    ['has no background updates', /\/background_updates\/status$/, unrecognized, /Background updates/],
    ['has no tasks', /\/scheduled_tasks$/, unrecognized, / Tasks /],
  ])('leaves out a card if the server %s', async (_, path, reply, left) => {
    expect(await screens.open('/', { interfere: answering(path, reply) })).not.toMatch(left);
  });

  test('says what failed', async () => {
    expect(await screens.open('/', { interfere: answering(/\/v1\/rooms$/, broken) })).toMatch(
      /Rooms .*Broken/,
    );
  });
});

describe('the upgrade planner', () => {
  test.each([
    ['from=1.160.0&to=1.161.0', '1.161.0'],
    ['from=1.161.0&to=1.161.0', 'No upgrade needed'],
    ['from=x&to=1.161.0', 'Choose versions'],
    ['from=1.161.0&to=1.100.0', '1.100.0'],
  ])('%s: %s', async (query, expected) => {
    expect(await screens.open(`/upgrade?${query}`)).toContain(expected);
  });
});

describe.each([
  ['/users', /\/v[23]\/users$/, "Couldn't load users"],
  ['/rooms', /\/v1\/rooms$/, "Couldn't load rooms"],
  ['/tokens', /\/registration_tokens$/, "Couldn't load tokens"],
  ['/users/@alice:localhost', /\/v2\/users\/[^/]+$/, "Couldn't load account"],
  ['/rooms/!a:localhost', /\/v1\/rooms\/[^/]+$/, "Couldn't load room"],
  ['/federation/far.example', /\/destinations\/[^/]+$/, "Couldn't load server"],
  ['/media/uploads/localhost/a', /\/v1\/media\/[^/]+\/[^/]+$/, "Couldn't load file"],
  ['/reports/statistics', /\/event_reports$/, "Couldn't load reports"],
  ['/media/quarantine-changes', /quarantine/, "Couldn't load"],
])('%s', (path, of, failure) => {
  test('names what failed to load, and why', async () => {
    const text = await screens.open(path, { interfere: answering(of, broken) });
    expect(text).toContain(failure);
    expect(text).toContain('Broken');
    expect(text).toContain('Retry');
    // The page of one item is named by its ID.
    const [id] = /[@!].*|far.example|localhost\/a/.exec(path) ?? [];
    if (id) expect(text).toContain(id);
  });
});

test.each([
  ['/federation', "This server doesn't list remote servers"],
  ['/reports', 'npm run gatehouse -- sample-data'],
])('%s says: %s', async (path, expected) => {
  expect(await screens.open(path)).toContain(expected);
});

test.each([
  ['Synapse', /Recount rooms .* Rebuild user directory/],
  ['Gatehouse', /Recount rooms (?!.*Rebuild user directory)/],
])('the jobs that %s can run are offered', async (name, expected) => {
  const shown = await screens.open('/tasks/background-updates', {
    interfere: changing(/\/federation\/v1\/version$/, () => ({ server: { name, version: '1' } })),
  });
  expect(shown).toMatch(expected);
});
