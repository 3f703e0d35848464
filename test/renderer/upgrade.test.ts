import { beforeEach, expect, test } from 'vitest';
import { consoleUnderTest } from './console-under-test.ts';

const console = consoleUnderTest();

/** The homeserver's reply; with `pending: null` it doesn't report background updates. */
const says = { version: '1.47.1', pending: [] as string[] | null, enabled: true };

beforeEach(() => {
  Object.assign(says, { version: '1.47.1', pending: [], enabled: true });
  console.homeserver.interfere = (_method, path) => {
    if (path.endsWith('/server_version')) return { status: 200, body: { server_version: says.version } };
    if (path.endsWith('/background_updates/status') && says.pending) {
      const current = says.pending.map((name, index) => [`database ${index}`, { name }]);
      return { status: 200, body: { enabled: says.enabled, current_updates: Object.fromEntries(current) } };
    }
    return undefined;
  };
});

const section = (name: string | RegExp) => console.page.getByRole('region', { name });
const heading = (name: string | RegExp) => console.page.getByRole('heading', { level: 2, name });
const box = (name: string | RegExp) => console.page.getByRole('checkbox', { name });
const summary = (text: string) =>
  console.page.getByRole('status', { name: 'Plan' }).getByText(text, { exact: true });
const checkLine = () => console.page.getByRole('status', { name: 'Check' });

/** Six settings that must change between v1.47.1 and v1.161.0, and secrets of every kind. */
const homeserverYaml = `server_name: example.org
database:
  name: psycopg2
  args:
    user: S3CRET-user
    password: S3CRET-database
registration_shared_secret: "S3CRET-registration"
listeners:
  - port: 8008
    type: http
  - port: 9092
    type: webclient
macaroon_secret_key: S3CRET-macaroon # S3CRET-comment
account_threepid_delegates:
  email: https://S3CRET-delegate.example
enable_legacy_metrics: true
caches:
  expiry_time: 30m
experimental_features:
  msc3861:
    enabled: true
    client_secret: S3CRET-client
redis:
  enabled: true
  password: S3CRET-redis
instance_map:
  main: { host: localhost, port: 9093 }
`;
const workerYaml = `worker_app: synapse.app.user_dir
worker_replication_secret: S3CRET-worker
`;
const places = [
  ['v1.53.0', 'homeserver.yaml:12', 'listeners[1].type'],
  ['v1.66.0', 'homeserver.yaml:15', 'account_threepid_delegates.email'],
  ['v1.157.0', 'homeserver.yaml:20', 'experimental_features.msc3861'],
  ['v1.59.0', 'user_dir.yaml:1', 'worker_app'],
  ['v1.73.0', 'homeserver.yaml:16', 'enable_legacy_metrics'],
  ['v1.53.0', 'homeserver.yaml:18', 'caches.expiry_time'],
];

const yamlFile = (name: string, text: string) => ({
  name,
  mimeType: 'application/yaml',
  buffer: Buffer.from(text),
});
/** Follows a link in the console without loading the page. */
const go = (path: string) =>
  console.page.evaluate((to) => history.pushState(null, '', to), `/console${path}`);
const pick = (...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  console.page.locator('input[type=file]').setInputFiles(files);

/** Drops files on the page, as a file manager would. */
async function drop(files: [name: string, text: string][]) {
  const { page } = console;
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const [name, text] of given) transfer.items.add(new File([text], name));
    return transfer;
  }, files);
  await page.dispatchEvent('body', 'dragover', { dataTransfer });
  await page.getByText('Drop to read files on this page').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer });
}

test("plans from the server's version to the newest one, version by version", async () => {
  const { page } = console;
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  expect(await page.getByRole('combobox', { name: 'From' }).inputValue()).toBe('1.47.1');
  expect(await page.getByRole('combobox', { name: 'To' }).inputValue()).toBe('1.161.0');
  const stops = await page.getByRole('toolbar', { name: 'Plan versions' }).getByRole('button').all();
  expect(await Promise.all(stops.map((stop) => stop.textContent()))).toEqual(
    [
      '1.48.0 1.49.0 1.52.0 1.57.0 1.58.0 1.61.0 1.62.0 1.64.0 1.68.0 1.70.0',
      '1.77.0 1.83.0 1.85.0 1.90.0 1.92.0 1.96.0 1.98.0 1.100.0 1.105.1 1.149.1 1.161.0',
    ].flatMap((row) => row.split(' ')),
  );
  expect(await stops[2]?.getAttribute('aria-label')).toMatch(
    /^Version 3 of 21: 1\.52\.0\. Can roll back to v1\.49\.0\. Safe: .* can roll back to v1\.49\.0\./,
  );
  // Prepare is expanded. A stop expands on click and shows its notes by topic, and its steps.
  await section(/^Prepare/)
    .getByText('python3 --version', { exact: true })
    .waitFor();
  await stops[3]?.click();
  const stop = section(/^v1\.57\.0/);
  await stop.getByRole('heading', { name: 'Configuration 5' }).waitFor();
  await stop.getByText('Listeners of type webclient were removed.').waitFor();
  await stop.getByText("The server won't start if PostgreSQL's COLLATE or CTYPE isn't C.").waitFor();
  const curl = `curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" '${console.homeserver.url}/_service/admin/v1/server_version'`;
  await stop.getByText(curl, { exact: true }).waitFor();
  await stop
    .getByRole('button', { name: 'Copy command: Check that the server reports version 1.57.0.' })
    .click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(curl);
  expect(console.problems).toEqual([]);
});

test('a direct upgrade is one step with every note and its cost', async () => {
  const { page } = console;
  await console.open('/upgrade?to=1.70.0');
  await summary('24 upgrade notes, 10 versions').waitFor();
  await page.getByText('Fewest versions', { exact: true }).click();
  await summary('24 upgrade notes, 6 versions').waitFor();
  await page.getByText('Direct', { exact: true }).click();
  await summary('24 upgrade notes, 1 version').waitFor();
  await expect.poll(console.address).toContain('way=direct');
  await box(/^Back up: .*This backup is the only rollback to v1\.47\.1\./).waitFor();
  await page.reload();
  await summary('24 upgrade notes, 1 version').waitFor();
});

test('uses the API paths of the server', async () => {
  const { page, homeserver } = console;
  await page.addInitScript((baseUrl) => {
    const connection = { id: 'm', baseUrl, dialect: 'matrix', userId: '@admin:fake.example', local: false };
    sessionStorage.setItem(
      'gatehouse.sessions',
      JSON.stringify([{ connection, accessToken: 'admin-token' }]),
    );
  }, homeserver.url);
  await console.open('/upgrade?to=1.48.0');
  await page.getByText(`'${homeserver.url}/_synapse/admin/v1/server_version'`).waitFor();
  expect(await page.content()).not.toContain('/_service');
  expect(homeserver.requests).toContain('GET /_synapse/admin/v1/server_version');
});

test('an invalid version in the URL is reported and can be corrected', async () => {
  const { page } = console;
  await console.open('/upgrade?to=2');
  await page
    .getByRole('alert')
    .getByText(/^“2” isn't a version: use a format like 1\.98\.0/)
    .waitFor();
  const field = page.getByRole('combobox', { name: 'To' });
  await field.fill('v1.98.0');
  await field.press('Enter');
  await page
    .getByRole('status', { name: 'Plan' })
    .getByText(/notes, \d+ version/)
    .waitFor();
  await expect.poll(console.address).toContain('to=v1.98.0');
  await go('/upgrade?from=banana');
  await page
    .getByRole('alert')
    .getByText(/^“banana” isn't a version/)
    .waitFor();
});

test('ticks survive a restart and belong to one server and one plan', async () => {
  const { page } = console;
  await console.open('/upgrade?to=1.64.0');
  await box(/^Back up: /)
    .first()
    .click();
  await box(/^Python 3\.7\+/)
    .first()
    .click();
  await page.getByText('2 of 73 done').waitFor();
  // The first tick fixes the plan. Upgrading the server in the meantime doesn't change it.
  await expect.poll(console.address).toContain('from=1.47.1');

  says.version = '1.48.0';
  // A restart clears everything except localStorage.
  await page.evaluate(() => sessionStorage.clear());
  await console.open('/upgrade');
  await page.getByText('2 of 73 done').waitFor();
  await expect.poll(console.address).toMatch(/from=1\.47\.1/);
  expect(
    await box(/^Back up: /)
      .first()
      .isChecked(),
  ).toBe(true);
  expect(
    await box(/^Python 3\.7\+/)
      .first()
      .isChecked(),
  ).toBe(true);

  // Another plan has its own ticks.
  await page.getByRole('button', { name: 'Replan from v1.48.0' }).click();
  await page.getByText(/^0 of \d+ done$/).waitFor();
  await page.goBack();
  await page.getByText('2 of 73 done').waitFor();

  // Another server also has its own.
  await page.evaluate(() => {
    const [session] = JSON.parse(sessionStorage.getItem('gatehouse.sessions') ?? '[]');
    const other = { ...session, connection: { ...session.connection, id: 'other' } };
    sessionStorage.setItem('gatehouse.sessions', JSON.stringify([session, other]));
  });
  await page.goto(`${console.homeserver.url}/console/upgrade?server=other&from=1.47.1&to=1.64.0`);
  await page.getByText('0 of 73 done').waitFor();
});

test('six outdated settings are six findings with lines and without secrets', async () => {
  const { page, homeserver } = console;
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));

  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  await drop([
    ['homeserver.yaml', homeserverYaml],
    ['user_dir.yaml', workerYaml],
  ]);
  const notes = page.getByRole('list', { name: '6 settings to change' }).locator(':scope > li');
  await notes.first().waitFor();
  const texts = await notes.allInnerTexts();
  expect(texts).toHaveLength(6);
  for (const [index, words] of places.entries()) {
    for (const word of words) expect(texts[index]).toContain(word);
  }
  expect(texts[0]).toContain('Remove the listener, and serve the web client separately.');

  // The note is also marked in its stop; a tick here also ticks it there.
  await page.keyboard.press('e');
  await page.getByText('In your configuration: homeserver.yaml:12').waitFor();
  await notes.first().getByRole('checkbox').click();
  await expect
    .poll(() =>
      box(/Listeners of type webclient were removed/)
        .nth(1)
        .isChecked(),
    )
    .toBe(true);
  await page.getByRole('button', { name: /^Show \d+ suggestions?$/ }).click();
  await page.getByRole('button', { name: 'Check now' }).click();
  await checkLine().waitFor();

  const everything = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const caches_ = await caches.keys();
    const values = [...document.querySelectorAll('input, textarea')].map(
      (field) => (field as HTMLInputElement).value,
    );
    return [
      document.documentElement.outerHTML,
      document.documentElement.textContent,
      values.join('\n'),
      JSON.stringify({ ...localStorage }),
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify(history.state),
      document.cookie,
      location.href,
      JSON.stringify([databases, caches_]),
    ].join('\n');
  });
  expect(everything).toContain('homeserver.yaml:12');
  expect(everything).not.toContain('S3CRET');
  await page.keyboard.press('m');
  await page.getByText('Copied').waitFor();
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  expect(markdown).toContain('`homeserver.yaml:12:5` `listeners[1].type`');
  expect(markdown).not.toContain('S3CRET');
  expect([...sent, ...logged, ...homeserver.requests].join('\n')).not.toContain('S3CRET');
  // File names aren't stored either.
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('yaml');
  expect(console.problems).toEqual([]);
});

test('a file is chosen, corrected, and chosen again', async () => {
  const { page } = console;
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files…' }).click(),
  ]);
  await chooser.setFiles(yamlFile('homeserver.yaml', 'enable_legacy_metrics: true\n'));
  await page.getByText('1 setting to change', { exact: true }).waitFor();
  await pick(yamlFile('homeserver.yaml', 'enable_metrics: true\n'));
  await page.getByText('No changes needed for this plan.').waitFor();
  await page.getByRole('button', { name: 'Remove homeserver.yaml' }).click();
  await page.getByText('Drop homeserver.yaml').waitFor();
});

test('a finding is ignored with a reason, which is kept with the plan', async () => {
  const { page } = console;
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  await pick(yamlFile('homeserver.yaml', 'enable_legacy_metrics: true\n'));
  await page.getByRole('button', { name: /^Ignore: / }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Prometheus is gone');
  await page.keyboard.press('Enter');
  await page.getByText('No changes needed for this plan.').waitFor();
  await page.reload();
  await pick(yamlFile('homeserver.yaml', 'enable_legacy_metrics: true\n'));
  await page.getByText('1 ignored finding').click();
  await page.getByText('Reason: Prometheus is gone').waitFor();
  await page.getByRole('button', { name: /^Restore: / }).click();
  await page.getByText('1 setting to change', { exact: true }).waitFor();
});

test('an overdue change is a step even without an upgrade', async () => {
  const { page } = console;
  says.version = '1.161.0';
  await console.open('/upgrade');
  await heading(/^No upgrade needed/).waitFor();
  await pick(
    yamlFile('homeserver.yaml', 'structured: true\nenable_legacy_metrics: true\nreport_statss: 1\n'),
  );
  await page.getByText('But overdue configuration changes are listed above.').waitFor();
  await page.getByText('0 of 2 done').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.press('x');
  await page.getByText('1 of 2 done').waitFor();
  await page.getByText('1 unknown setting').click();
  await page.getByText('report_statss', { exact: true }).waitFor();
});

test.each<[string, string, RegExp]>([
  [
    'no YAML',
    'a: "S3CRET\n  b',
    /broken\.yaml: invalid YAML: missing quote, .* \(line 2, column 4\)\. Fix and re-add the file\./,
  ],
  ['no settings', '- S3CRET', /broken\.yaml: no settings\. Fix and re-add the file\./],
  ['far too much', `a: ${'S3CRET'.repeat(400_000)}`, /broken\.yaml: too large \(2\.4 MB\)/],
])("a file with %s is named, not quoted, and doesn't block others", async (_, text, message) => {
  const { page } = console;
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  await drop([
    ['broken.yaml', text],
    ['homeserver.yaml', homeserverYaml],
  ]);
  await page.getByRole('alert').filter({ hasText: message }).waitFor();
  await page.getByText('5 settings to change', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('S3CRET');
});

test('the page stays responsive while parsing a malicious file, and then gives it up', async () => {
  const page = await console.pageWithClock();
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  // Walking a long map for each of many list entries would take minutes.
  const long = `a: &a {type: webclient,${'a,'.repeat(300_000)}}\nlisteners: [${'*a,'.repeat(3_000)}]\n`;
  await pick(yamlFile('slow.yaml', long), yamlFile('homeserver.yaml', homeserverYaml));
  const reading = page.locator('button[data-loading]', { hasText: 'Choose files…' });
  await reading.waitFor();
  await page.getByText('Direct', { exact: true }).click();
  await summary('80 upgrade notes, 1 version').waitFor();
  expect(await reading.count()).toBe(1);
  await page.clock.fastForward(5_000);
  await page
    .getByRole('alert')
    .filter({
      hasText: /slow\.yaml: takes over 5 seconds to read\. Fix and re-add the file\./,
    })
    .waitFor();
  await page.getByText('5 settings to change', { exact: true }).waitFor();
});

test('of hundreds of places in a file, lists the first and counts the others', async () => {
  const { page } = console;
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  const keys = Array.from({ length: 300 }, (_, index) => `nobody_knows_${index}: 1`);
  const listeners = Array.from({ length: 300 }, () => '  - {type: webclient}');
  await drop([['homeserver.yaml', [...keys, 'listeners:', ...listeners].join('\n')]]);
  await page.getByText('300 unknown settings').click();
  await page.getByText('nobody_knows_99', { exact: true }).waitFor();
  expect(await page.getByText('and 200 more').count()).toBe(2);
  expect(await page.getByText(/nobody_knows/).count()).toBe(100);
  await page.keyboard.press('e');
  await page.getByText(/In your configuration: .*homeserver.yaml:311, and 290 more/).waitFor();
});

test('two files of the same name are both checked', async () => {
  await console.open('/upgrade');
  await summary('80 upgrade notes, 21 versions').waitFor();
  await pick(yamlFile('worker.yaml', workerYaml), yamlFile('worker.yaml', `# 2\n${workerYaml}`));
  await console.page.getByText('worker.yaml:1', { exact: true }).waitFor();
  await console.page.getByText('worker.yaml (2):2', { exact: true }).waitFor();
});

test("a check updates the plan's start, and background updates block it", async () => {
  const { page } = console;
  await console.open('/upgrade?to=1.64.0');
  await summary('19 upgrade notes, 8 versions').waitFor();
  await page.keyboard.press('r');
  await checkLine()
    .getByText('The server runs v1.47.1. No background updates pending. You can upgrade to v1.48.0 now.')
    .waitFor();
  await expect.poll(() => box(/^Wait: Wait until v1\.47\.1 finishes/).isChecked()).toBe(true);

  // The server is upgraded and still runs background updates.
  says.version = '1.48.0';
  says.pending = ['populate_stats'];
  await page.keyboard.press('r');
  await checkLine().getByText('1 background update running (populate_stats).').waitFor();
  await heading(/^v1\.48\.0/)
    .getByText('3 of 5')
    .waitFor();
  const nextStop = section(/^v1\.49\.0/);
  await page.getByRole('button', { name: /^Version 2 of 8/ }).click();
  await nextStop.getByText('Not yet. 1 background update running').waitFor();
  expect(await nextStop.getByRole('checkbox', { name: /^Install: / }).isDisabled()).toBe(true);
  // Later steps can be read in advance.
  await page.getByRole('button', { name: /^Version 3 of 8/ }).click();
  expect(await box(/Requires PostgreSQL 10\+/).isEnabled()).toBe(true);

  // Disabled updates never finish, so the page shows a warning.
  says.enabled = false;
  await page.getByRole('button', { name: 'Check now' }).click();
  await checkLine().getByText('Enable background updates.').waitFor();

  Object.assign(says, { pending: [], enabled: true });
  await page.getByRole('button', { name: 'Check now' }).click();
  await checkLine().getByText('You can upgrade to v1.49.0 now.').waitFor();
  await heading(/^v1\.48\.0/)
    .getByText('4 of 5')
    .waitFor();
  // The console can't know that the old version was stopped or that a backup exists.
  await page.getByRole('button', { name: /^Version 1 of 8/ }).click();
  expect(
    await section(/^v1\.48\.0/)
      .getByRole('checkbox', { name: /^Stop: / })
      .isChecked(),
  ).toBe(false);
  expect(
    await box(/^Back up: Back up the database/)
      .first()
      .isChecked(),
  ).toBe(false);
  expect(await nextStop.getByRole('checkbox', { name: /^Install: / }).isEnabled()).toBe(true);

  // Upgrades to the target at once. The console doesn't know about the steps in between.
  says.version = '1.64.0';
  await page.getByRole('button', { name: 'Check now' }).click();
  await checkLine().getByText('Plan complete.').waitFor();
  await heading(/^After/)
    .getByText('2 of 2')
    .waitFor();
  await heading(/^v1\.58\.0/)
    .getByText(/^0 of \d+$/)
    .waitFor();
});

test('a server without background update status is reported as such', async () => {
  const { page } = console;
  says.pending = null;
  await console.open('/upgrade?to=1.64.0');
  await page.getByRole('button', { name: 'Check now' }).click();
  await checkLine().getByText("This server doesn't support listing background updates.").waitFor();
  expect(await box(/^Wait: Wait until v1\.47\.1 finishes/).isChecked()).toBe(false);
});

test('a failed check shows an error and changes nothing', async () => {
  const { page, homeserver } = console;
  await console.open('/upgrade?to=1.64.0');
  await box(/^Token: /).click();
  await page.getByText('1 of 73 done').waitFor();
  homeserver.interfere = () => ({ status: 502, body: { errcode: 'M_UNKNOWN', error: 'Bad gateway' } });
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByRole('alert').getByText('Check failed. Server error: Bad gateway.').waitFor();
  await page.getByText('1 of 73 done').waitFor();
  // Being offline has its own error message with a remedy.
  await homeserver.stop();
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('alert').getByText("Can't reach http").waitFor();
});

test('a version in the address is read as text, not as a number', async () => {
  const { page } = console;
  await console.open('/upgrade?from=1.100&to=1.110');
  await summary('1 upgrade note, 2 versions').waitFor();
  expect(await page.getByRole('combobox', { name: 'From' }).inputValue()).toBe('1.100.0');
  await page.getByText('The plan starts at v1.100.0').waitFor();
  await page.reload();
  await page.getByText('The plan starts at v1.100.0').waitFor();
});

test('a version opened before stays described until another plan starts', async () => {
  const { page } = console;
  await console.open('/upgrade?from=1.98.0');
  await page.getByRole('button', { name: /^Version 3 of 4/ }).click();
  await page.mouse.move(0, 0);
  const strip = page.getByRole('figure', { name: /^Versions/ });
  await strip.locator('figcaption').getByText('v1.149.1', { exact: true }).waitFor();
  await page.getByRole('combobox', { name: 'From' }).fill('1.99.0');
  await page.keyboard.press('Enter');
  await strip.locator('figcaption').getByText('v1.100.0', { exact: true }).waitFor();
});

test('a typed version works without the server', async () => {
  const { page, homeserver } = console;
  homeserver.interfere = (_method, path) =>
    path.endsWith('/server_version')
      ? { status: 500, body: { errcode: 'M_UNKNOWN', error: 'Internal error' } }
      : undefined;
  await console.open('/upgrade');
  await page.getByText("Couldn't load server version").waitFor();
  await page.getByRole('combobox', { name: 'From' }).fill('1.98.0');
  await page.keyboard.press('Enter');
  await summary('33 upgrade notes, 4 versions').waitFor();
});

test('without steps or beyond known versions, the screen shows why', async () => {
  says.version = 'latest';
  await console.open('/upgrade');
  const shows = (text: RegExp) => console.page.getByText(text).first().waitFor();
  await shows(/^Unreadable server version\. Enter one like 1\.98\.0\./);
  for (const [search, text] of [
    ['from=1.161.0', /^No upgrade needed: v1\.161\.0/],
    ['from=1.170.0', /This planner covers versions up to v1\.161\.0, not v1\.170\.0\./],
    ['from=1.150.0&to=1.170.0', /up to v1\.161\.0, .* Read all later upgrade notes\./],
    ['from=1.84.1&to=1.79.0', /^Undo changes for versions after v1\.79\.0/],
    ['from=1.84.1&to=1.50.0', /^Not safe: v1\.84\.1 can roll back only to v1\.77\.0/],
    ['from=1.161.0&to=1.160.0', /Rollback from v1\.161\.0 is unknown\./],
  ] as const) {
    await go(`/upgrade?${search}`);
    await shows(text);
  }
  expect(console.problems).toEqual([]);
});

test('a refused downgrade offers the lowest safe version', async () => {
  says.version = '1.84.1';
  await console.open('/upgrade?to=1.50.0');
  await console.page.getByRole('button', { name: 'Plan rollback to v1.77.0' }).click();
  await summary('Downgrade from v1.84.1 to v1.77.0: allowed').waitFor();
});

test('a plan is followed by keyboard alone', async () => {
  const { page } = console;
  await console.open('/upgrade?to=1.64.0');
  await summary('19 upgrade notes, 8 versions').waitFor();
  const focused = () =>
    page.evaluate(() => (document.activeElement as HTMLElement).getAttribute('aria-label'));
  await page.keyboard.press('n');
  expect(await focused()).toMatch(/^Token: /);
  await page.keyboard.press('x');
  await page.getByText('1 of 73 done').waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused()).toMatch(/^Back up: /);
  await page.keyboard.press('Space');
  await page.getByText('2 of 73 done').waitFor();
  // Moves from the end of a section to the next one, and back.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('k');
  expect(await focused()).toMatch(/^Back up: /);
  await page.keyboard.press('e');
  await page.keyboard.press('d');
  await page.keyboard.press('d');
  await summary('19 upgrade notes, 1 version').waitFor();
  await page.keyboard.press('t');
  expect(
    await page.getByRole('combobox', { name: 'To' }).evaluate((field) => field === document.activeElement),
  ).toBe(true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  for (const label of [
    'Toggle done',
    'Copy plan as Markdown',
    'Check server now',
    'Add configuration files',
  ]) {
    await help.getByText(label).waitFor();
  }
});

test('broken storage and very many plans do no harm', async () => {
  const { page } = console;
  const key = 'gatehouse.upgrade.admin@fake';
  await page.addInitScript((of) => localStorage.setItem(of, '{"plans": 1'), key);
  await console.open('/upgrade?to=1.49.0');
  for (let minor = 49; minor < 62; minor++) {
    await go(`/upgrade?from=1.47.1&to=1.${minor}.0`);
    await page.getByText(/^0 of \d+ done$/).waitFor();
    await box(/^Token: /).click();
    await page.getByText(/^1 of \d+ done$/).waitFor();
  }
  const kept = await page.evaluate((of) => JSON.parse(localStorage.getItem(of) ?? ''), key);
  expect(kept.plans).toHaveLength(12);
  expect(kept.plans[0]).toEqual({ from: '1.47.1', to: '1.61.0', done: ['prepare/token'] });
});
