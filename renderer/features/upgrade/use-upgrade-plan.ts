import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react';
import { type Static, Type } from 'typebox';
import type { Configuration } from '../../../shared/upgrade/configuration.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { compareVersions } from '../../../shared/upgrade/version.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { planSections, withoutStops } from './plan-sections.ts';
import { parseInput, requestedVersions } from './requested-versions.ts';
import { isEmptySearch, type UpgradeSearch } from './upgrade-search.ts';

/**
 * Ticked items per server and plan, saved in this browser: the server has no such state. Only the planner's own IDs are
 * stored.
 */

/** Identifies a plan: two versions and the path. */
type PlanKey = { from: string; to: string; way?: 'direct' };

const StoredPlan = Type.Object({
  from: Type.String(),
  to: Type.String(),
  way: Type.Optional(Type.Literal('direct')),
  done: Type.Array(Type.String()),
});
const Stored = Type.Object({
  /** Whether the first plan is in progress. */
  following: Type.Boolean(),
  /** Last changed first. */
  plans: Type.Array(StoredPlan),
});
type Stored = Static<typeof Stored>;

/** Limits storage; the oldest are dropped. */
const maxPlans = 12;
const maxTicks = 1000;

const nothing: Stored = { following: false, plans: [] };

/** Returns the plan in progress, or undefined. */
const planInProgress = ({ following, plans }: Stored): PlanKey | undefined =>
  following ? plans[0] : undefined;

const doneIn = ({ plans }: Stored, plan: PlanKey): readonly string[] =>
  plans.find((other) => isSame(other, plan))?.done ?? [];

const isSame = (a: PlanKey, b: PlanKey) => a.from === b.from && a.to === b.to && a.way === b.way;

function planProgress({ id, kept: values }: Server) {
  const saved = values.open(`gatehouse.upgrade.${id}`, Stored, nothing);

  return {
    snapshot: saved.read,
    subscribe: saved.subscribe,
    /** Ticks and unticks items; makes this the plan in progress. */
    mark({ from, to, way }: PlanKey, done: readonly string[], undone: readonly string[] = []) {
      const plan = { from, to, ...(way && { way }) };
      const before = doneIn(saved.read(), plan);
      const after = new Set([...before, ...done]);
      for (const id of undone) after.delete(id);
      const others = saved.read().plans.filter((other) => !isSame(other, plan));
      const changed = { ...plan, done: [...after].slice(-maxTicks) };
      saved.write({ following: true, plans: [changed, ...others].slice(0, maxPlans) });
    },
    /** The next visit starts at the server's version; ticks are kept. */
    stopFollowing: () => saved.write({ ...saved.read(), following: false }),
  };
}

export type PlanModel = ReturnType<typeof useUpgradePlan>;

/** Returns the plan in the URL, or else the one in progress, with its ticks. */
export function useUpgradePlan(configuration: Configuration) {
  const server = useServer();
  const navigate = useNavigate({ from: '/upgrade' });
  const address = useSearch({ from: '/frame/server/upgrade' });
  const progress = useMemo(() => planProgress(server), [server]);
  const stored = useSyncExternalStore(progress.subscribe, progress.snapshot);

  const inProgress = planInProgress(stored);
  const search: UpgradeSearch = isEmptySearch(address) && inProgress ? keyOf(inProgress) : address;
  const resumed = search === address ? undefined : inProgress;
  useEffect(() => {
    if (!resumed) return;
    navigate({ search: (current) => ({ ...current, ...keyOf(resumed) }), replace: true });
  }, [resumed, navigate]);

  const versionQuery = useQuery(serverVersionQuery(server));
  const serverVersion = versionQuery.data?.server_version;
  // The version field shows the error.
  const running = useMemo(
    () => (serverVersion === undefined ? undefined : parseInput(serverVersion).version),
    [serverVersion],
  );
  const { from, to, toDefaultLabel } = requestedVersions(search, serverVersion);
  const fromText = from?.version && from.text;
  const toText = to.version && to.text;

  const { dialect, baseUrl } = server.connection;
  const withStops = useMemo(
    () =>
      fromText === undefined || toText === undefined
        ? undefined
        : planUpgrade({ from: fromText, to: toText, dialect, baseUrl, configuration }, i18n.t),
    [fromText, toText, dialect, baseUrl, configuration],
  );
  const hasWays = withStops?.direction === 'upgrade' && withStops.stops.length > 1;
  const isDirect = hasWays && search.way === 'direct';
  const plan = useMemo(
    () => (withStops && isDirect ? withoutStops(withStops) : withStops),
    [withStops, isDirect],
  );
  const sections = useMemo(() => (plan ? planSections(plan) : []), [plan]);

  const key = useMemo(
    (): PlanKey | undefined =>
      fromText === undefined || toText === undefined
        ? undefined
        : { from: fromText, to: toText, ...(isDirect && { way: 'direct' as const }) },
    [fromText, toText, isDirect],
  );
  const done = useMemo(() => new Set(key && doneIn(stored, key)), [stored, key]);

  /** All tickable IDs. Overdue settings are in no section. */
  const work = useMemo(
    () => [
      ...new Set([
        ...(plan?.config.map(({ note }) => note) ?? []),
        ...sections.flatMap(({ items }) => items.map(({ id }) => id)),
      ]),
    ],
    [plan, sections],
  );

  /** The first tick pins the plan in the URL, so that it stops following the server's version. */
  const mark = useCallback(
    (ticked: readonly string[], unticked: readonly string[]) => {
      if (!key) return;
      progress.mark(key, ticked, unticked);
      navigate({ search: (current) => ({ ...current, ...keyOf(key) }), replace: true });
    },
    [progress, key, navigate],
  );

  const change = (changes: UpgradeSearch) => navigate({ search: (current) => ({ ...current, ...changes }) });

  function replan() {
    progress.stopFollowing();
    change({ from: undefined, to: undefined, way: undefined });
  }
  const hasServerMoved = running && from?.version && compareVersions(running, from.version) !== 0;

  return {
    from,
    to,
    toDefaultLabel,
    isFromTyped: search.from !== undefined,
    isToTyped: search.to !== undefined,
    setFrom(version: string | undefined) {
      // Otherwise the plan in progress would be restored at once.
      if (version === undefined) progress.stopFollowing();
      change({ from: version });
    },
    setTo: (version: string | undefined) => change({ to: version }),
    /** Undefined if there is only one path. */
    way: hasWays ? (isDirect ? ('direct' as const) : ('stops' as const)) : undefined,
    toggleWay: () => change({ way: isDirect ? undefined : 'direct' }),
    plan,
    sections,
    work,
    done,
    id: JSON.stringify(key),
    mark,
    versionQuery,
    running,
    /** Whether the plan starts at the server's version. */
    isFromServer: search.from === undefined,
    /** Restarts at the server's version, if it differs from the plan's. */
    replan: hasServerMoved ? replan : undefined,
  };
}

const keyOf = ({ from, to, way }: PlanKey) => ({ from, to, way });
