/** Plans an upgrade: notes, stops and steps. Interface: "Upgrade rules". */
import type {
  Finding,
  IgnoredFinding,
  Note,
  Requirement,
  Rollback,
  Stop,
  StreamCrossing,
  UpgradePlan,
} from '../api/upgrade-plan.ts';
import { type DialectName, dialects } from '../dialect.ts';
import { english, listed, type Say } from '../sentence.ts';
import { changes, newestRelease, spellNote } from './changes/changes.ts';
import type { InstallMethod, Way } from './choices.ts';
import type { Configuration } from './configuration.ts';
import { findOutdated, findUnknown } from './findings.ts';
import { includes } from './install-methods.ts';
import { requirementRises, requirementUses } from './requirements.ts';
import { judgeRollback, rollbackReach } from './rollback.ts';
import { downgradeSteps, type Leg, type Server, upgradeSteps } from './steps.ts';
import { reasonToStop, stopsBetween } from './stops.ts';
import { streamBoundaries } from './streams.ts';
import type { FaultRow } from './synapse/faults.ts';
import { faultRows } from './synapse/faults.ts';
import { has, knownOf, reachFromSource, releaseToInstall } from './synapse/known.ts';
import {
  compareVersions,
  formatVersion,
  isBetween,
  parseVersion,
  releaseOf,
  type Version,
} from './version.ts';
import { configurationWarnings, planWarnings, securityWarnings } from './warnings.ts';

export type PlanRequest = {
  /** The running version, as the server reports it. */
  from: string;
  /** The target; default: the newest release in the data. */
  to?: string | undefined;
  /** The server's API paths. */
  dialect: DialectName;
  /** Intermediate versions; default: `every`. */
  way?: Way | undefined;
  /** How the server was installed, for commands to match. */
  install?: InstallMethod | undefined;
  /** Reasons to ignore findings, by ID of the note. */
  ignored?: Readonly<Record<string, string>> | undefined;
  /** The server's URL without a trailing slash; default: commands read it from BASE_URL. */
  baseUrl?: string | undefined;
  /** The server's configuration, to search for settings that must change. */
  configuration?: Configuration | undefined;
  /** From `askServerState`; null if unavailable. */
  pendingUpdates?: readonly string[] | null | undefined;
};

/**
 * Plans an upgrade, or says whether a downgrade is safe.
 *
 * @param say language of the plan's sentences
 * @throws VersionError if `from` or `to` isn't a version
 */
export function planUpgrade(request: PlanRequest, say: Say = english): UpgradePlan {
  const from = parseVersion(request.from);
  const to = request.to === undefined ? newestRelease : parseVersion(request.to);
  const server: Server = {
    dialect: dialects[request.dialect],
    baseUrl: request.baseUrl,
    install: request.install,
  };
  const order = compareVersions(from, to);
  const way =
    order < 0
      ? upgrade(from, to, request.way ?? 'every', server, say)
      : order > 0
        ? downgrade(from, to, server, say)
        : stay(from);
  const { required, hints } = request.configuration
    ? findOutdated(request.configuration, from, to, server.dialect, say)
    : { required: [] as Finding[], hints: [] as Finding[] };
  const ignored = [...required, ...hints].flatMap((finding): IgnoredFinding[] => {
    const why = request.ignored?.[finding.note];
    return why === undefined ? [] : [{ ...finding, why }];
  });
  const isKept = ({ note }: Finding) => request.ignored?.[note] === undefined;
  return {
    from: formatVersion(from),
    to: formatVersion(to),
    ...way,
    warnings: [
      ...planWarnings(from, to, request.pendingUpdates, say),
      ...(server.dialect.name === 'matrix' && order < 0 ? securityWarnings(to, say) : []),
      ...configurationWarnings(request.configuration ?? [], say),
    ],
    config: required.filter(isKept),
    config_hints: hints.filter(isKept),
    ...(ignored.length > 0 && { config_ignored: ignored }),
    config_unknown: findUnknown(request.configuration ?? []),
  };
}

type Course = Pick<UpgradePlan, 'direction' | 'way' | 'direct' | 'stops' | 'streams'>;

function upgrade(from: Version, to: Version, way: Way, server: Server, say: Say): Course {
  const stops: Stop[] = [];
  const streams: StreamCrossing[] = [];
  // Facts from Synapse's source only apply to Synapse.
  const isSynapse = server.dialect.name === 'matrix';
  const listed = new Set<FaultRow>();
  let previous = from;
  let installed = from;
  for (const version of stopsBetween(from, to, way)) {
    const install = isSynapse ? releaseToInstall(version, compareVersions(version, to) === 0) : version;
    const leg = legOf(previous, version, install);
    const fromSource = isSynapse ? reachFromSource(version) : undefined;
    streams.push(...crossingsOf(leg, say));
    stops.push({
      version: formatVersion(version),
      ...(install !== version && { install: formatVersion(install) }),
      reason: reasonToStop(version, to, way, say),
      rollback_to: earliestOf(version),
      rollback: rollbackOf(version, previous, say),
      requirements: requirementsOf(leg, server, say),
      notes: notesOf(leg, server, say),
      known: isSynapse
        ? knownOf(installed, version, install, (fault) => listed.has(fault), server.install, say)
        : [],
      ...(fromSource && { rollback_from_source: formatVersion(fromSource) }),
      steps: upgradeSteps(leg, server, say),
    });
    for (const fault of faultRows) if (has(install, fault)) listed.add(fault);
    previous = version;
    installed = install;
  }
  const whole = legOf(from, to);
  return {
    direction: 'upgrade',
    way,
    direct: {
      notes: notesOf(whole, server, say),
      requirements: requirementsOf(whole, server, say),
      steps: upgradeSteps(whole, server, say),
      rollback_to: earliestOf(to),
      rollback: rollbackOf(to, from, say),
    },
    stops,
    streams,
  };
}

/** A downgrade has one stop if the table allows it, otherwise none. */
function downgrade(from: Version, to: Version, server: Server, say: Say): Course {
  const rollback = rollbackOf(from, to, say);
  const leg: Leg = {
    from,
    to,
    install: to,
    newest: from,
    hasNotes: false,
    canGoBack: null,
    // The same stream changes as in the upgrade.
    crossings: legOf(to, from).crossings,
  };
  const stop: Stop = {
    version: formatVersion(to),
    reason: say(/*i18n*/ 'Downgrade target'),
    rollback_to: earliestOf(to),
    rollback,
    requirements: [],
    notes: [],
    known: [],
    steps: downgradeSteps(leg, server, say),
  };
  return {
    direction: 'downgrade',
    direct: { notes: [], requirements: [], steps: [], rollback_to: earliestOf(from), rollback },
    stops: rollback.safe ? [stop] : [],
    streams: crossingsOf(leg, say),
  };
}

function stay(version: Version): Course {
  return {
    direction: 'none',
    direct: { notes: [], requirements: [], steps: [], rollback_to: earliestOf(version), rollback: null },
    stops: [],
    streams: [],
  };
}

function legOf(from: Version, to: Version, install: Version = to): Leg {
  // A release candidate has its release's changes.
  const newest = releaseOf(to);
  const isOnTheWay = (release: Version) => isBetween(from, release, newest);
  return {
    from,
    to,
    install,
    newest,
    hasNotes: changes.some(({ release }) => isOnTheWay(release)),
    canGoBack: judgeRollback(to, from).safe,
    crossings: streamBoundaries.filter(({ release }) => isOnTheWay(release)),
  };
}

function notesOf({ from, newest }: Leg, { dialect }: Server, say: Say): Note[] {
  return changes
    .filter(({ release }) => isBetween(from, release, newest))
    .map(({ note }) => spellNote(note, dialect, say));
}

/** Returns the new minimum of each requirement that rises on the leg. */
function requirementsOf({ from, newest }: Leg, { install }: Server, say: Say): Requirement[] {
  const rises = requirementRises.filter(
    ({ since, name }) => isBetween(from, since, newest) && !includes(install, name),
  );
  return Object.entries(requirementUses).flatMap(([name, { onlyFor, check }]) => {
    const highest = rises.findLast((rise) => rise.name === name);
    if (!highest) return [];
    const { minimum, since } = highest;
    const what =
      minimum === undefined
        ? say(/*i18n*/ '{name}, a recent version', { name: say(name) })
        : say(/*i18n*/ '{name} {minimum}+', { name: say(name), minimum });
    return {
      name,
      minimum: minimum ?? null,
      since: formatVersion(since),
      text: onlyFor === undefined ? what : say(onlyFor, { what }),
      check: check ?? null,
    };
  });
}

function crossingsOf({ crossings, to }: Leg, say: Say): StreamCrossing[] {
  return crossings.map(({ release, streams, change }) => {
    return {
      release: formatVersion(release),
      stop: formatVersion(to),
      streams: [...streams],
      text: say(/*i18n*/ "Since v{version}, {change}. Older and newer workers can't exchange {streams}.", {
        version: `${release.major}.${release.minor}`,
        change: say(change),
        streams: listed(streams, say),
      }),
    };
  });
}

function earliestOf(version: Version): string | null {
  const { earliest } = rollbackReach(version);
  return earliest ? formatVersion(earliest) : null;
}

/** Returns whether a rollback to an older version is safe. */
function rollbackOf(version: Version, to: Version, say: Say): Rollback {
  const { safe, lowestSafe, reason } = judgeRollback(version, to, say);
  return {
    to: formatVersion(to),
    safe,
    lowest_safe: lowestSafe ? formatVersion(lowestSafe) : null,
    text: reason,
  };
}
