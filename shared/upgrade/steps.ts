/** What to do at a stop, in order. Interface: "Upgrade rules" 2 to 4. */
import type { Step, StepKind } from '../api/upgrade-plan.ts';
import type { Dialect } from '../dialect.ts';
import type { StreamBoundary } from './streams.ts';
import { compareVersions, formatVersion, parseVersion, type Version } from './version.ts';

export type Server = {
  dialect: Dialect;
  /** Without a trailing slash; undefined where the plan is for no server in particular. */
  baseUrl: string | undefined;
};

export type Leg = {
  /** The version that runs. */
  from: Version;
  /** The version to go to. */
  to: Version;
  /** The newest release whose changes are on the way. */
  newest: Version;
  /** Whether there are notes on the way. */
  hasNotes: boolean;
  /** Whether going back afterwards is safe; null where that isn't known. */
  canGoBack: boolean | null;
  crossings: readonly StreamBoundary[];
};

const appserviceRule = parseVersion('1.57.0');

/** The steps of one stop. Commands hold no token: they read it from the shell's ACCESS_TOKEN. */
export function upgradeSteps(leg: Leg, server: Server): Step[] {
  const { from, to, newest, hasNotes, canGoBack, crossings } = leg;
  const [old, version] = [`v${formatVersion(from)}`, `v${formatVersion(to)}`];
  const crossesAppserviceRule =
    compareVersions(from, appserviceRule) < 0 && compareVersions(appserviceRule, newest) <= 0;
  const step = stepOf(to);
  return [
    step(
      'back up',
      sentences(
        'Back up the database, the media, the signing key and the configuration.',
        canGoBack === false && `This backup is the only way back to ${old}.`,
        canGoBack === null && `Count on this backup as the only way back to ${old}.`,
      ),
    ),
    step(
      'stop',
      sentences(
        'Stop the server and all workers.',
        crossesAppserviceRule &&
          'Stop the worker that sends to application services without fail, and keep it stopped until the database is upgraded (v1.57.0).',
      ),
    ),
    step(
      'upgrade',
      hasNotes ? `Do what this stop asks for, then install ${version}.` : `Install ${version}.`,
    ),
    step(
      'start',
      sentences(
        'Start the server and wait: it answers once the database is migrated.',
        crossesAppserviceRule && 'Only then start the worker that sends to application services.',
        crossings.length > 0 && sameSide(crossings, version),
      ),
      waitForAnswer(server),
    ),
    step(
      'check version',
      `Check the version that the server says: ${formatVersion(to)}.`,
      askAsAdministrator(server, 'server_version'),
    ),
    step(
      'wait',
      'Wait until the background updates have finished, that is until current_updates is empty, before you go on.',
      askAsAdministrator(server, 'background_updates/status'),
    ),
  ];
}

/** The steps that go back to an older version. */
export function downgradeSteps(leg: Leg, server: Server): Step[] {
  const { from, to, crossings } = leg;
  const [old, version] = [`v${formatVersion(from)}`, `v${formatVersion(to)}`];
  const step = stepOf(to);
  return [
    step('back up', 'Back up the database, the media, the signing key and the configuration.'),
    step('stop', 'Stop the server and all workers.'),
    step(
      'upgrade',
      `Change back what was changed for releases after ${version}, then install it over ${old}.`,
    ),
    step(
      'start',
      sentences(
        'Start the server and wait until it answers.',
        crossings.length > 0 && sameSide(crossings, version),
      ),
      waitForAnswer(server),
    ),
    step(
      'check version',
      `Check the version that the server says: ${formatVersion(to)}.`,
      askAsAdministrator(server, 'server_version'),
    ),
  ];
}

const stepOf =
  (version: Version) =>
  (kind: StepKind, text: string, command: string | null = null): Step => ({
    id: `${formatVersion(version)}/${kind}`,
    kind,
    text,
    command,
  });

const sameSide = (crossings: readonly StreamBoundary[], version: string) =>
  `Start no worker before all of them are on ${version}: replication of ${crossings
    .flatMap(({ streams }) => streams)
    .join(', ')} changes on the way.`;

const sentences = (...parts: (string | false)[]) => parts.filter(Boolean).join(' ');

function waitForAnswer(server: Server): string {
  const url = quotedUrl(server, `${server.dialect.chat}/client/versions`);
  return `curl -fsS --retry 999 --retry-delay 5 --retry-all-errors ${url}`;
}

function askAsAdministrator(server: Server, endpoint: string): string {
  const url = quotedUrl(server, `${server.dialect.administration}/admin/v1/${endpoint}`);
  return `curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" ${url}`;
}

/** For a POSIX shell: an address is taken as it is, whatever characters it has. */
function quotedUrl({ baseUrl }: Server, path: string): string {
  return baseUrl === undefined ? `"$BASE_URL${path}"` : `'${(baseUrl + path).replaceAll("'", "'\\''")}'`;
}
