import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { type DialectName, dialectNames } from '../../../shared/dialect.ts';
import { type InstallMethod, installMethods, type Way, ways } from '../../../shared/upgrade/choices.ts';
import type { Configuration } from '../../../shared/upgrade/configuration.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { compareVersions } from '../../../shared/upgrade/version.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import type { Server } from '../../transport/server.ts';
import { planSections } from './plan-sections.ts';
import { parseInput, requestedVersions } from './requested-versions.ts';
import { isEmptySearch, type UpgradeSearch } from './upgrade-search.ts';

/**
 * Ticked items per server and plan, saved in this browser: the server has no such state. Only the planner's own IDs are
 * stored.
 */

/** Identifies a plan: two versions and the path. */
type PlanKey = { from: string; to: string; way?: Exclude<Way, 'every'> };

const StoredPlan = Type.Object({
  from: Type.String(),
  to: Type.String(),
  way: Type.Optional(Type.Union([Type.Literal('fewest'), Type.Literal('direct')])),
  done: Type.Array(Type.String()),
  /** Reasons by note. */
  ignored: Type.Optional(Dictionary(Type.String())),
});
const Stored = Type.Object({
  /** Whether the first plan is in progress. */
  following: Type.Boolean(),
  /** Last changed first. */
  plans: Type.Array(StoredPlan),
  /** How the server was installed. */
  install: Type.Optional(Type.Unsafe<InstallMethod>({ type: 'string', enum: [...installMethods] })),
  /** The API paths; default: the server's own. */
  dialect: Type.Optional(Type.Unsafe<DialectName>({ type: 'string', enum: [...dialectNames] })),
});
type Stored = Static<typeof Stored>;

/** Limits storage; the oldest are dropped. */
const maxPlans = 12;
const maxTicks = 1000;

const noProgress: Pick<Static<typeof StoredPlan>, 'done' | 'ignored'> = { done: [] };
const nothing: Stored = { following: false, plans: [] };

/** Returns the plan in progress, or undefined. */
const planInProgress = ({ following, plans }: Stored): PlanKey | undefined =>
  following ? plans[0] : undefined;

const storedOf = ({ plans }: Stored, plan: PlanKey) => plans.find((other) => isSame(other, plan));

const isSame = (a: PlanKey, b: PlanKey) => a.from === b.from && a.to === b.to && a.way === b.way;

function planProgress({ id, deviceStorage }: Server) {
  const saved = deviceStorage.open(`gatehouse.upgrade.${id}`, Stored, nothing);

  function change({ from, to, way }: PlanKey, changes: Partial<Static<typeof StoredPlan>>) {
    const plan = { from, to, ...(way && { way }) };
    const before = saved.read();
    const others = before.plans.filter((other) => !isSame(other, plan));
    const changed = { done: [], ...storedOf(before, plan), ...plan, ...changes };
    saved.write({ ...before, following: true, plans: [changed, ...others].slice(0, maxPlans) });
  }

  return {
    snapshot: saved.read,
    subscribe: saved.subscribe,
    /** Ticks and unticks items; makes this the plan in progress. */
    mark(plan: PlanKey, done: readonly string[], undone: readonly string[] = []) {
      const after = new Set([...(storedOf(saved.read(), plan)?.done ?? []), ...done]);
      for (const id of undone) after.delete(id);
      change(plan, { done: [...after].slice(-maxTicks) });
    },
    /** Ignores a finding, or restores it without a reason; makes this the plan in progress. */
    ignore(plan: PlanKey, note: string, why: string | undefined) {
      const { [note]: _, ...others } = storedOf(saved.read(), plan)?.ignored ?? {};
      change(plan, { ignored: { ...others, ...(why !== undefined && { [note]: why }) } });
    },
    setInstall: (install: InstallMethod | undefined) => {
      const { install: _, ...others } = saved.read();
      saved.write({ ...others, ...(install && { install }) });
    },
    setDialect: (dialect: DialectName | undefined) => {
      const { dialect: _, ...others } = saved.read();
      saved.write({ ...others, ...(dialect && { dialect }) });
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
  const stored = useStoreValue(progress, progress.snapshot);

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

  const { baseUrl } = server.connection;
  const { install, dialect = server.connection.dialect } = stored;
  const every = useMemo(
    () =>
      fromText === undefined || toText === undefined
        ? undefined
        : planUpgrade({ from: fromText, to: toText, dialect }),
    [fromText, toText, dialect],
  );
  const hasWays = every?.direction === 'upgrade' && every.stops.length > 1;
  const way: Way = (hasWays && search.way) || 'every';
  const key = useMemo(
    (): PlanKey | undefined =>
      fromText === undefined || toText === undefined
        ? undefined
        : { from: fromText, to: toText, ...(way !== 'every' && { way }) },
    [fromText, toText, way],
  );
  const { done: ticked, ignored } = (key && storedOf(stored, key)) ?? noProgress;
  const plan = useMemo(
    () =>
      key &&
      planUpgrade(
        { from: key.from, to: key.to, way, dialect, baseUrl, install, configuration, ignored },
        i18n.t,
      ),
    [key, way, dialect, baseUrl, install, configuration, ignored],
  );
  const sections = useMemo(() => (plan ? planSections(plan) : []), [plan]);

  const done = useMemo(() => new Set(ticked), [ticked]);

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

  const ignore = useCallback(
    (note: string, why: string | undefined) => {
      if (!key) return;
      progress.ignore(key, note, why);
      navigate({ search: (current) => ({ ...current, ...keyOf(key) }), replace: true });
    },
    [progress, key, navigate],
  );

  const change = (changes: UpgradeSearch) => navigate({ search: (current) => ({ ...current, ...changes }) });

  const setWay = (chosen: Way) => change({ way: chosen === 'every' ? undefined : chosen });

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
    way: hasWays ? way : undefined,
    setWay,
    nextWay: () => setWay(ways[(ways.indexOf(way) + 1) % ways.length] ?? 'every'),
    install,
    setInstall: progress.setInstall,
    dialect,
    /** Switches between Synapse's API paths and generic ones. */
    toggleDialect: () => progress.setDialect(dialect === 'matrix' ? 'vendor' : 'matrix'),
    ignore,
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
