/** The context of a report loads automatically, part by part, once the user stays on the report. */
import { expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';
import { sampleReports } from './sample-reports.ts';

const console = consoleUnderTest();

/** Scrolls to a part. Repeats if content above moves it out of view. */
async function lookAt(name: string) {
  const isThere = async () => {
    await part(name).scrollIntoViewIfNeeded();
    return (await part(name).innerText()).trim() !== name;
  };
  await expect.poll(isThere).toBe(true);
}

const part = (name: string) =>
  console.page
    .getByRole('region', { name: 'Report', exact: true })
    .getByRole('region', { name, exact: true });

const ok = (body: unknown) => ({ status: 200, body });
const event = (id: number) => ({
  event_id: `$event-${id}`,
  type: 'm.room.message',
  sender: '@mallory:fake.example',
  origin_server_ts: Date.UTC(2026, 0, 1),
  content: { msgtype: 'm.text', body: `Message ${id}` },
});
const context = (id: number) =>
  ok({ events_before: [], event: event(id), events_after: [], state: [], start: 's1', end: 's2' });
const noMore = ok({ chunk: [], start: 's' });

const isAround = (path: string) => /\/admin\/v[12]\/(rooms|users|whois)\//.test(path);
/** Excludes the requests that only detect features. */
const asked = () =>
  console.homeserver.requests.filter((path) => isAround(path) && !path.includes('nowhere.invalid'));

test('stepping through the list by key requests nothing on the way', async () => {
  const { homeserver } = console;
  const page = await console.pageWithClock();
  homeserver.reports = sampleReports(30);
  homeserver.interfere = (_, path) => (path.includes('/context/') ? context(11) : undefined);
  await console.open('/reports');
  await page.getByRole('option').first().waitFor();
  // The clock is paused, so no report stays open long enough to load.
  await page.clock.pauseAt(Date.now() + 60_000);
  for (let step = 0; step < 20; step++) await page.keyboard.press('j');
  await page.clock.resume();
  await page.getByText('Report 11', { exact: true }).waitFor();
  await part('Context').getByText('Message 11').waitFor();
  const events = new Set(asked().flatMap((request) => /context\/%24event-(\d+)/.exec(request)?.[1] ?? []));
  expect([...events]).toEqual(['11']);
});

test('leaving a report aborts its requests', async () => {
  const { page, homeserver } = console;
  homeserver.reports = sampleReports(2);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  homeserver.interfere = async (_, path) => {
    if (path.includes('/context/') && path.includes('event-2')) await held;
    return path.includes('/context/') ? context(1) : undefined;
  };
  const given: string[] = [];
  page.on('requestfailed', (request) => given.push(decodeURIComponent(request.url())));
  const waiting = page.waitForRequest((request) => /context\/%24event-2\?limit=12/.test(request.url()));
  await console.open('/reports?report=2');
  await part('Context').scrollIntoViewIfNeeded();
  await waiting;
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('j');
  await page.getByText('Report 1', { exact: true }).waitFor();
  await expect.poll(() => given.some((url) => url.includes('context/$event-2?limit=12'))).toBe(true);
  release();
});

test("a slow part doesn't delay others, and a failed one recovers", async () => {
  const { homeserver } = console;
  homeserver.reports = sampleReports(1);
  let failing = true;
  homeserver.interfere = (_, path) => {
    if (path.includes('/context/')) return new Promise<never>(() => {});
    if (path.includes('/v2/users/') && !path.endsWith('/devices')) {
      return failing
        ? { status: 500, body: { errcode: 'M_UNKNOWN', error: 'The disk is full' } }
        : ok({
            name: '@mallory:fake.example',
            displayname: 'Mallory',
            locked: true,
            creation_ts: 1_700_000_000,
          });
    }
    if (path.endsWith('/joined_rooms')) return ok({ joined_rooms: [], total: 0 });
    if (path.endsWith('/block')) return { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'no' } };
    return undefined;
  };
  await console.open('/reports?report=1');
  await lookAt('Sender');
  await part('Sender').getByRole('alert').getByText('The disk is full').waitFor();
  await part('Sender').getByText('No rooms').waitFor();
  await part('Sender').getByText('Not supported by this server.').first().waitFor();
  failing = false;
  await part('Sender').getByRole('button', { name: 'Retry', exact: true }).click();
  await part('Sender').getByText('Locked', { exact: true }).waitFor();
  await lookAt('Room');
  await part('Room').getByText('Not supported by this server.').waitFor();
  await part('Context')
    .getByText('Loading context…')
    .or(part('Context').getByText('Still loading'))
    .waitFor();
});

test('missing data differs from an unsupported endpoint', async () => {
  const { homeserver } = console;
  homeserver.reports = sampleReports(1);
  homeserver.interfere = (_, path) =>
    isAround(path) ? { status: 404, body: { errcode: 'M_NOT_FOUND', error: 'gone' } } : undefined;
  await console.open('/reports?report=1');
  await lookAt('Context');
  await part('Context').getByText('Event unavailable.').waitFor();
  await lookAt('Room');
  await part('Room').getByText('This room was deleted.').waitFor();
});

test('a remote sender has no account to load', async () => {
  const { homeserver } = console;
  const [report] = sampleReports(1);
  if (!report) throw new Error('no report');
  homeserver.reports = [{ ...report, sender: '@eve:elsewhere.example' }];
  await console.open('/reports?report=1');
  await lookAt('Sender');
  await part('Sender').getByText('Remote user on elsewhere.example.').waitFor();
  await part('Sender').getByRole('button', { name: '1 against user' }).waitFor();
  // Room memberships aren't account data.
  const ofSender = (request: string) => /\/(users|whois)\/%40eve(?!.*\/memberships)/.test(request);
  expect(asked().filter(ofSender)).toEqual([]);
});

test('an edit far back is searched on request', async () => {
  const { homeserver } = console;
  homeserver.reports = sampleReports(1);
  const other = (index: number) => ({ ...event(1), event_id: `$later-${index}` });
  const edit = {
    ...event(1),
    event_id: '$edit',
    origin_server_ts: Date.UTC(2027, 0, 1),
    content: {
      'm.new_content': { msgtype: 'm.text', body: 'Message 2' },
      'm.relates_to': { rel_type: 'm.replace', event_id: '$event-1' },
    },
  };
  homeserver.interfere = (_, path, query) => {
    if (path.includes('/context/')) return context(1);
    if (!path.endsWith('/messages')) return undefined;
    if (query.get('from') === 's2')
      return ok({ chunk: Array.from({ length: 500 }, (_, index) => other(index)), end: 's3' });
    return query.get('from') === 's3' ? ok({ chunk: [edit], end: 's4' }) : noMore;
  };
  await console.open('/reports?report=1');
  const since = part('Changes');
  await since.getByText('Only the next 500 events were checked.').waitFor();
  await since.getByRole('button', { name: 'Scan more' }).click();
  await since.getByText('Edited after the report.').waitFor();
  expect(await since.getByRole('button', { name: 'Scan more' }).count()).toBe(0);
});
