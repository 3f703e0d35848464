/** Short sentences that introduce a plan in each of its formats. */
import type { Finding, Rollback, Stop, UpgradePlan } from '../api/upgrade-plan.ts';
import { english, type Say } from '../sentence.ts';
import { compareVersions, parseVersion } from './version.ts';

/** Summary of a plan: `Upgrade from v1.47.1 to v1.70.0: 24 notes, 6 stops`. */
export function planTitle({ from, to, direction, direct, stops }: UpgradePlan, say: Say = english): string {
  if (direction === 'none') {
    return say(/*i18n*/ 'No upgrade needed: v{from} is running', { from });
  }
  if (direction === 'downgrade') return say(verdict(direct.rollback), { from, to });
  return say(
    /*i18n*/ 'Upgrade from v{from} to v{to}: {notes, plural, one {# note} other {# notes}}, {stops, plural, one {# version} other {# versions}}',
    { from, to, notes: direct.notes.length, stops: stops.length },
  );
}

function verdict(rollback: Rollback | null): string {
  if (rollback?.safe) return /*i18n*/ 'Downgrade from v{from} to v{to}: allowed';
  return rollback?.safe === false
    ? /*i18n*/ 'Downgrade from v{from} to v{to}: not allowed'
    : /*i18n*/ 'Downgrade from v{from} to v{to}: safety unknown';
}

/**
 * Returns the version to install with a finding's change: older ones may still need the setting. Undefined if any
 * version is fine.
 */
export function dueWith(stops: readonly Pick<Stop, 'version'>[], { overdue, release }: Finding) {
  if (overdue || stops.length < 2) return undefined;
  const since = parseVersion(release);
  return stops.find(({ version }) => compareVersions(parseVersion(version), since) >= 0)?.version;
}

/** Returns the variables that a plan's commands read from the shell, each with a POSIX command that sets it. */
export function shellVariables({ stops }: UpgradePlan, say: Say = english) {
  const variables = [
    {
      name: 'BASE_URL',
      text: say(/*i18n*/ 'The commands below need the server URL in BASE_URL.'),
      command: 'export BASE_URL=http://localhost:8008',
    },
    {
      name: 'ACCESS_TOKEN',
      text: say(/*i18n*/ 'The commands below need an admin access token in ACCESS_TOKEN.'),
      command: readToken,
    },
  ];
  const commands = stops.flatMap(({ steps }) => steps.flatMap(({ command }) => command ?? []));
  return variables.filter(({ name }) => commands.some((command) => command.includes(`$${name}`)));
}

/** Reads without showing it, and without leaving it in the shell's history. */
export const readToken = 'stty -echo; read -r ACCESS_TOKEN; stty echo; export ACCESS_TOKEN';

type Reach = Pick<Stop, 'rollback_to' | 'rollback_from_source'>;

/** Earliest version for a rollback, in one or two words: `v1.49.0`, or `Unknown`. */
export function reachOf(
  { rollback_to: to, rollback_from_source: source }: Reach,
  say: Say = english,
): string {
  if (to !== null) return `v${to}`;
  return source === undefined
    ? say(/*i18n*/ 'Unknown')
    : say(/*i18n*/ 'v{source} (Synapse source)', { source });
}

/** Whether a rollback to the version before is safe, in a few words. */
export function shortRollback(
  {
    rollback: { to, safe, lowest_safe: lowest },
    rollback_from_source: source,
  }: Omit<Reach, 'rollback_to'> & {
    rollback: Rollback;
  },
  say: Say = english,
): string {
  if (safe === null && source !== undefined) {
    return compareVersions(parseVersion(source), parseVersion(to)) <= 0
      ? say(/*i18n*/ 'v{to}: safe (Synapse source)', { to })
      : say(/*i18n*/ 'v{to}: not safe (lowest: v{lowest})', { to, lowest: source });
  }
  if (safe === null) return say(/*i18n*/ 'v{to}: unknown', { to });
  return safe
    ? say(/*i18n*/ 'v{to}: safe', { to })
    : say(/*i18n*/ 'v{to}: not safe (lowest: v{lowest})', { to, lowest: lowest ?? '' });
}
