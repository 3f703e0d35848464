/** Steps of a stop. Interface: "Upgrade rules" 2 to 4. */
import type { Step, StepKind } from '../api/upgrade-plan.ts';
import type { Dialect } from '../dialect.ts';
import type { Say } from '../sentence.ts';
import type { InstallMethod } from './choices.ts';
import { commandsOf } from './install-methods.ts';
import type { StreamBoundary } from './streams.ts';
import { compareVersions, formatVersion, parseVersion, type Version } from './version.ts';

export type Server = {
  dialect: Dialect;
  /** Without a trailing slash; undefined if the plan is for any server. */
  baseUrl: string | undefined;
  /** How it was installed; undefined if unknown. */
  install: InstallMethod | undefined;
};

export type Leg = {
  /** The running version. */
  from: Version;
  /** The target. */
  to: Version;
  /** The version to install: the target or its newest patch. */
  install: Version;
  /** The newest release whose changes apply. */
  newest: Version;
  /** Whether there are upgrade notes. */
  hasNotes: boolean;
  /** Whether a rollback is safe; null if unknown. */
  canGoBack: boolean | null;
  crossings: readonly StreamBoundary[];
};

const appserviceRule = parseVersion('1.57.0');

/** Returns the steps of a stop. Commands read the token from ACCESS_TOKEN. */
export function upgradeSteps(leg: Leg, server: Server, say: Say): Step[] {
  const { from, to, install, newest, hasNotes, canGoBack, crossings } = leg;
  const [old, version] = [`v${formatVersion(from)}`, `v${formatVersion(install)}`];
  const commands = server.install && commandsOf(server.install, install, say);
  const crossesAppserviceRule =
    compareVersions(from, appserviceRule) < 0 && compareVersions(appserviceRule, newest) <= 0;
  const step = stepOf(to);
  return [
    step(
      'back up',
      sentences(
        say(backUp),
        canGoBack === false && say(/*i18n*/ 'This backup is the only rollback to {old}.', { old }),
        canGoBack === null && say(/*i18n*/ 'Treat this backup as the only rollback to {old}.', { old }),
      ),
    ),
    step(
      'stop',
      sentences(
        say(stopAll),
        crossesAppserviceRule &&
          say(
            /*i18n*/ 'Stop the worker that sends to application services until the database is upgraded (v1.57.0).',
          ),
      ),
      commands?.stop,
    ),
    step(
      'upgrade',
      sentences(
        hasNotes
          ? say(/*i18n*/ "Complete this version's items, then install {version}.", { version })
          : say(/*i18n*/ 'Install {version}.', { version }),
        commands?.hint ?? false,
      ),
      commands?.install,
    ),
    step(
      'start',
      sentences(
        say(/*i18n*/ 'Start the server. It responds after migrating the database.'),
        crossesAppserviceRule && say(/*i18n*/ 'Only then start the application service worker.'),
        crossings.length > 0 && sameSide(crossings, version, say),
      ),
      inSequence(commands?.start, waitForAnswer(server)),
    ),
    step(
      'check version',
      say(/*i18n*/ 'Check that the server reports version {version}.', { version: formatVersion(install) }),
      askAsAdministrator(server, 'server_version'),
    ),
    step(
      'wait',
      say(/*i18n*/ 'Wait until background updates finish (current_updates is empty).'),
      askAsAdministrator(server, 'background_updates/status'),
    ),
  ];
}

/** Returns the steps of a downgrade. */
export function downgradeSteps(leg: Leg, server: Server, say: Say): Step[] {
  const { from, to, crossings } = leg;
  const [old, version] = [`v${formatVersion(from)}`, `v${formatVersion(to)}`];
  const step = stepOf(to);
  const commands = server.install && commandsOf(server.install, to, say);
  return [
    step('back up', say(backUp)),
    step('stop', say(stopAll), commands?.stop),
    step(
      'upgrade',
      sentences(
        say(/*i18n*/ 'Undo changes for versions after {version}, then install it over {old}.', {
          version,
          old,
        }),
        commands?.hint ?? false,
      ),
      commands?.install.replace('apt-get install', 'apt-get install --allow-downgrades'),
    ),
    step(
      'start',
      sentences(
        say(/*i18n*/ 'Start the server and wait for a response.'),
        crossings.length > 0 && sameSide(crossings, version, say),
      ),
      inSequence(commands?.start, waitForAnswer(server)),
    ),
    step(
      'check version',
      say(/*i18n*/ 'Check that the server reports version {version}.', { version: formatVersion(to) }),
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

const backUp = /*i18n*/ 'Back up the database, media, signing key and configuration.';
const stopAll = /*i18n*/ 'Stop the server and all workers.';

const sameSide = (crossings: readonly StreamBoundary[], version: string, say: Say) =>
  say(/*i18n*/ 'Start workers only once all run {version}: replication of {streams} changes.', {
    version,
    streams: crossings.flatMap(({ streams }) => streams).join(', '),
  });

const inSequence = (start: string | undefined, wait: string) =>
  start === undefined ? wait : `${start} && ${wait}`;

const sentences = (...parts: (string | false)[]) => parts.filter(Boolean).join(' ');

function waitForAnswer(server: Server): string {
  const url = quotedUrl(server, `${server.dialect.chat}/client/versions`);
  return `curl -fsS --retry 999 --retry-delay 5 --retry-all-errors ${url}`;
}

function askAsAdministrator(server: Server, endpoint: string): string {
  const url = quotedUrl(server, `${server.dialect.administration}/admin/v1/${endpoint}`);
  return `curl -fsS -H "Authorization: Bearer $ACCESS_TOKEN" ${url}`;
}

/** Quotes a URL for a POSIX shell. */
function quotedUrl({ baseUrl }: Server, path: string): string {
  return baseUrl === undefined ? `"$BASE_URL${path}"` : `'${(baseUrl + path).replaceAll("'", "'\\''")}'`;
}
