/** Warnings of a plan: gaps in its data, and reasons to wait. */
import { listed, type Say } from '../sentence.ts';
import { changes, newestRelease, oldestRelease } from './changes/changes.ts';
import type { Configuration } from './configuration.ts';
import { judgeRollback, rollbackReach } from './rollback.ts';
import { fromSource, lackedBy } from './synapse/known.ts';
import { compareVersions, formatVersion, releaseOf, type Version } from './version.ts';

/**
 * @param pendingUpdates names of unfinished background updates; null if unavailable, undefined if not requested
 * @returns sentences, the most urgent first
 */
export function planWarnings(
  from: Version,
  to: Version,
  pendingUpdates: readonly string[] | null | undefined,
  say: Say,
): string[] {
  const order = compareVersions(from, to);
  const ownWarnings = order < 0 ? ofUpgrade(from, to, say) : order > 0 ? ofDowngrade(from, to, say) : [];
  return [...ofPendingUpdates(pendingUpdates, say), ...ownWarnings, ...ofData(from, to, say)];
}

/** Returns warnings about security releases after the target, as far as known from Synapse's source. */
export function securityWarnings(to: Version, say: Say): string[] {
  const lacked = lackedBy(to);
  const newest = lacked.at(-1);
  if (!newest) return [];
  return [
    say(
      /*i18n*/ 'v{to} lacks the fixes of {count, plural, one {# later security release} other {# later security releases}}; the newest is v{newest}. {source}.',
      {
        to: formatVersion(to),
        count: lacked.length,
        newest: formatVersion(newest.release),
        source: fromSource(say),
      },
    ),
  ];
}

/** Returns the caveats of configuration files. */
export const configurationWarnings = (configuration: Configuration, say: Say): string[] =>
  configuration.flatMap(({ caveats }) => caveats.map(({ sentence, values }) => say(sentence, values)));

function ofPendingUpdates(names: readonly string[] | null | undefined, say: Say): string[] {
  if (names === null) {
    return [say(/*i18n*/ "Background update status isn't available. Check the server log first.")];
  }
  if (!names || names.length === 0) return [];
  // The names come from the server, and appear in terminals and documents.
  const list = names.map((name) => name.slice(0, 100).replace(/[^\w.:-]/g, '?')).join(', ');
  return [
    say(
      /*i18n*/ '{count, plural, one {# background update} other {# background updates}} running ({list}). Wait until all finish.',
      { count: names.length, list },
    ),
  ];
}

function ofUpgrade(from: Version, to: Version, say: Say): string[] {
  const reach = rollbackReach(to, say);
  const warnings = reach.earliest ? [] : [reach.why];
  if (compareVersions(from, oldestRelease) < 0) {
    warnings.push(
      say(/*i18n*/ "Notes start at v{oldest}. Read earlier versions' upgrade notes separately.", {
        oldest: formatVersion(oldestRelease),
      }),
    );
  }
  if (to.candidate !== undefined && compareVersions(releaseOf(to), newestRelease) <= 0) {
    warnings.push(
      say(/*i18n*/ 'v{to} is a release candidate. Includes the v{release} notes.', {
        to: formatVersion(to),
        release: formatVersion(releaseOf(to)),
      }),
    );
  }
  return warnings;
}

function ofDowngrade(from: Version, to: Version, say: Say): string[] {
  const { safe, reason } = judgeRollback(from, to, say);
  if (!safe) return [reason];
  const undone = changes.filter(
    ({ release }) => compareVersions(to, release) < 0 && compareVersions(release, releaseOf(from)) <= 0,
  );
  if (undone.length === 0) return [];
  const releases = [...new Set(undone.map(({ note }) => `v${note.release}`))];
  return [
    say(/*i18n*/ 'The older version may require reverting changes for {releases}.', {
      releases: releases.join(', '),
    }),
  ];
}

function ofData(from: Version, to: Version, say: Say): string[] {
  const newest = formatVersion(newestRelease);
  const beyond = [from, to].filter((version) => compareVersions(version, newestRelease) > 0);
  const [first] = beyond;
  if (!first) return [];
  const names = listed([...new Set(beyond.map((version) => `v${formatVersion(version)}`))], say);
  return [
    say(/*i18n*/ 'This planner covers versions up to v{newest}, not {names}. Read all later upgrade notes.', {
      newest,
      names,
    }),
  ];
}
