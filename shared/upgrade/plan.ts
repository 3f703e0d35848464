/** From one version to another: what to read, where to stop, what to do. Interface: "Upgrade rules". */
import type {
  Finding,
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
import type { Configuration } from './configuration.ts';
import { findOutdated, findUnknown } from './findings.ts';
import { requirementRises, requirementUses } from './requirements.ts';
import { judgeRollback, rollbackReach } from './rollback.ts';
import { downgradeSteps, type Leg, type Server, upgradeSteps } from './steps.ts';
import { reasonToStop, stopsBetween } from './stops.ts';
import { streamBoundaries } from './streams.ts';
import {
  compareVersions,
  formatVersion,
  isBetween,
  parseVersion,
  releaseOf,
  type Version,
} from './version.ts';
import { configurationWarnings, planWarnings } from './warnings.ts';

export type PlanRequest = {
  /** The running version, as the server prints it. */
  from: string;
  /** The version to go to; the newest release in the data without it. */
  to?: string | undefined;
  /** How the server spells its paths. */
  dialect: DialectName;
  /** The server's address without a trailing slash; without it, commands read it from BASE_URL. */
  baseUrl?: string | undefined;
  /** The server's configuration, to be looked through for what the plan changes. */
  configuration?: Configuration | undefined;
  /** What `askServerState` found: null where the server doesn't say. */
  pendingUpdates?: readonly string[] | null | undefined;
};

/**
 * Plans an upgrade, or says whether a downgrade is allowed. Takes well under a millisecond.
 *
 * @param say in which language the plan's sentences are
 * @throws VersionError where `from` or `to` is no version
 */
export function planUpgrade(request: PlanRequest, say: Say = english): UpgradePlan {
  const from = parseVersion(request.from);
  const to = request.to === undefined ? newestRelease : parseVersion(request.to);
  const server: Server = { dialect: dialects[request.dialect], baseUrl: request.baseUrl };
  const order = compareVersions(from, to);
  const way =
    order < 0 ? upgrade(from, to, server, say) : order > 0 ? downgrade(from, to, server, say) : stay(from);
  const { required, hints } = request.configuration
    ? findOutdated(request.configuration, from, to, server.dialect, say)
    : { required: [] as Finding[], hints: [] as Finding[] };
  return {
    from: formatVersion(from),
    to: formatVersion(to),
    ...way,
    warnings: [
      ...planWarnings(from, to, request.pendingUpdates, say),
      ...configurationWarnings(request.configuration ?? [], from, to, say),
    ],
    config: required,
    config_hints: hints,
    config_unknown: findUnknown(request.configuration ?? []),
  };
}

type Way = Pick<UpgradePlan, 'direction' | 'direct' | 'stops' | 'streams'>;

function upgrade(from: Version, to: Version, server: Server, say: Say): Way {
  const stops: Stop[] = [];
  const streams: StreamCrossing[] = [];
  let previous = from;
  for (const version of stopsBetween(from, to)) {
    const leg = legOf(previous, version);
    streams.push(...crossingsOf(leg, say));
    stops.push({
      version: formatVersion(version),
      reason: reasonToStop(version, to, say),
      rollback_to: earliestOf(version),
      rollback: rollbackOf(version, previous, say),
      requirements: requirementsOf(leg, say),
      notes: notesOf(leg, server, say),
      steps: upgradeSteps(leg, server, say),
    });
    previous = version;
  }
  const whole = legOf(from, to);
  return {
    direction: 'upgrade',
    direct: {
      notes: notesOf(whole, server, say),
      requirements: requirementsOf(whole, say),
      steps: upgradeSteps(whole, server, say),
      rollback_to: earliestOf(to),
      rollback: rollbackOf(to, from, say),
    },
    stops,
    streams,
  };
}

/** A downgrade is one stop where the table allows it, and none where it forbids it or doesn't say. */
function downgrade(from: Version, to: Version, server: Server, say: Say): Way {
  const rollback = rollbackOf(from, to, say);
  const leg: Leg = {
    from,
    to,
    newest: from,
    hasNotes: false,
    canGoBack: null,
    // The streams that were crossed on the way up are crossed on the way down.
    crossings: legOf(to, from).crossings,
  };
  const stop: Stop = {
    version: formatVersion(to),
    reason: say(/*i18n*/ 'Downgrade target'),
    rollback_to: earliestOf(to),
    rollback,
    requirements: [],
    notes: [],
    steps: downgradeSteps(leg, server, say),
  };
  return {
    direction: 'downgrade',
    direct: { notes: [], requirements: [], steps: [], rollback_to: earliestOf(from), rollback },
    stops: rollback.safe ? [stop] : [],
    streams: crossingsOf(leg, say),
  };
}

function stay(version: Version): Way {
  return {
    direction: 'none',
    direct: { notes: [], requirements: [], steps: [], rollback_to: earliestOf(version), rollback: null },
    stops: [],
    streams: [],
  };
}

function legOf(from: Version, to: Version): Leg {
  // A release candidate has what its release has.
  const newest = releaseOf(to);
  const isOnTheWay = (release: Version) => isBetween(from, release, newest);
  return {
    from,
    to,
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

/** The highest minimum of everything whose minimum rises on the leg. */
function requirementsOf({ from, newest }: Leg, say: Say): Requirement[] {
  const rises = requirementRises.filter(({ since }) => isBetween(from, since, newest));
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

/** Whether going back from a version to an older one is safe. */
function rollbackOf(version: Version, to: Version, say: Say): Rollback {
  const { safe, lowestSafe, reason } = judgeRollback(version, to, say);
  return {
    to: formatVersion(to),
    safe,
    lowest_safe: lowestSafe ? formatVersion(lowestSafe) : null,
    text: reason,
  };
}
