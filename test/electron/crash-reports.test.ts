/** Local crash reports: small, and without secrets. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../until.ts';
import { type App, launchApp, newProfile, startApp } from './app.ts';
import { shellAlone } from './build.ts';

const folder = (profile: string) => join(profile, 'logs/crashes');

/** Returns the crash reports, oldest first. */
function reports({ profile }: App): string[] {
  try {
    const names = readdirSync(folder(profile)).sort();
    return names.map((name) => readFileSync(join(folder(profile), name), 'utf8'));
  } catch {
    return [];
  }
}

async function processId(app: App): Promise<number> {
  return until(async () => {
    const [child] = await app.command('utilityProcesses');
    if (!child?.pid) throw new Error('There is no homeserver process');
    return child.pid;
  });
}

const about = /\nGatehouse \S+, not packaged\nElectron .*, Chromium .*, Node .*\n\S+ \S+ .*\n\n/;

test.concurrent('a crashed page leaves a local report', async () => {
  await using app = await startApp({ dist: shellAlone });
  await app.command('crashPage');
  const [report, ...others] = reports(app);
  expect(others).toEqual([]);
  expect(report).toMatch(/^The page crashed\n/);
  expect(report).toMatch(about);
  expect(report).toMatch(/\ncrashed\n$/);
  const [name = ''] = readdirSync(folder(app.profile));
  expect(statSync(join(folder(app.profile), name)).mode & 0o777).toBe(0o600);
});

test.concurrent('a local server that crashes leaves one report', async () => {
  await using app = await startApp({ dist: shellAlone });
  let crashes = 0;
  for (const signal of ['SIGKILL', 'SIGABRT'] as const) {
    process.kill(await processId(app), signal);
    crashes++;
    await until(() => expect(reports(app)).toHaveLength(crashes));
    // The server is running again, so any report has been written.
    await until(async () => {
      const state = await app.invoke('local-server:state', undefined);
      expect(state).toMatchObject({ value: { status: 'running' } });
    });
    expect(reports(app)).toHaveLength(crashes);
    const report = reports(app).at(-1);
    expect(report).toMatch(/^The local server crashed\n/);
    expect(report).toMatch(about);
    expect(report).toMatch(/\nexit code \d+\n$/);
  }
});

test.concurrent('a fatal error leaves a report', async () => {
  await using app = launchApp({ dist: shellAlone, arguments: ['--no-sandbox'] });
  await app.nextDialog();
  expect(await app.ended).toBe(1);
  const [report, ...others] = reports(app);
  expect(others).toEqual([]);
  expect(report).toMatch(/^Gatehouse can't continue\n/);
  expect(report).toMatch(about);
});

test.concurrent('unhandled rejections leave reports, of which ten are kept, and the app continues', async () => {
  await using app = await startApp({ dist: shellAlone });
  const messages = Array.from({ length: 13 }, (_, number) => `Nobody caught number ${number}.`);
  await app.command('rejectUnwatched', { messages });
  await until(() => expect(reports(app).at(-1)).toContain(messages.at(-1)));
  expect(reports(app).map((report) => /Nobody caught number \d+\./.exec(report)?.[0])).toEqual(
    messages.slice(-10),
  );
  for (const report of reports(app)) expect(report).toMatch(about);
  expect(await app.invoke('connections:list', undefined)).toMatchObject({ ok: true });
});

test.concurrent("a clock that was ahead doesn't lose the current report", async () => {
  const profile = newProfile();
  mkdirSync(folder(profile), { recursive: true });
  for (let day = 1; day <= 12; day++) {
    writeFileSync(
      join(folder(profile), `2999-01-${String(day).padStart(2, '0')}T00-00-00.000Z.txt`),
      'old\n',
    );
  }
  await using app = await startApp({ dist: shellAlone, profile });
  await app.command('crashPage');
  expect(reports(app).filter((report) => report.startsWith('The page crashed'))).toHaveLength(1);
  expect(reports(app)).toHaveLength(10);
});

test.concurrent('no report and no log contains a secret', async () => {
  await using app = await startApp({ dist: shellAlone });
  const secret = 'hunter2Hunter2';
  await app.command('rejectUnwatched', {
    messages: [
      `GET /_synapse/admin/v1/rooms was refused with the access token syt_${secret}_abcdefghij`,
      `{"headers":{"Authorization":"Bearer ${secret}"},"access_token":"${secret}"}`,
      `http://127.0.0.1:8008/console/#login_token=${secret}`,
      `{"type":"m.login.password","password":"${secret} ${secret}"}`,
      `registration_shared_secret: "${secret}"\nmacaroon_secret_key: ${secret}`,
      `could not connect to postgres://gatehouse:${secret}@db.example:5432/gatehouse`,
      `database:\n  name: psycopg2\n  args: { user: gatehouse, password: ${secret}, host: db.example }`,
    ],
  });
  await until(() => expect(reports(app)).toHaveLength(7));
  await app.command('failUtilityProcess', { location: `Heap (login_token=${secret})` });
  // A report's file exists before its text.
  await until(() => expect(reports(app).at(-1)).toContain('Heap (login_token=[secret]'));
  expect(reports(app)).toHaveLength(8);
  const log = readFileSync(join(app.profile, 'logs/gatehouse.log'), 'utf8');
  for (const text of [...reports(app), log, app.output]) expect(text).not.toContain('unter2');
});
