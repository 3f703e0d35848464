import { i18n } from '@lingui/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { compareVersions, formatVersion, parseVersion } from '../../../shared/upgrade/version.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { type UpgradeCheck, upgradeCheckQuery } from '../../api/upgrade-check.ts';
import { useServer } from '../../console-context.ts';
import type { PlanSection } from './plan-sections.ts';
import { parseInput } from './requested-versions.ts';
import type { PlanModel } from './use-upgrade-plan.ts';

// Applies a check of the server to a plan: completed steps, blocked ones, and the message.

type CheckOutcome = {
  text: string;
  tone: 'good' | 'waiting' | 'odd';
  /** Steps proven to be done, or not done. */
  done: string[];
  undone: string[];
  /** Number of versions reached. */
  reached: number;
  /** The reason why the next version has to wait. */
  blocked?: string;
  /** The section to continue with; undefined if unchanged. */
  next: string | undefined;
};

function checkOutcome(
  plan: UpgradePlan,
  sections: readonly PlanSection[],
  check: UpgradeCheck,
): CheckOutcome {
  const { version } = parseInput(check.version);
  if (!version) {
    return {
      text: i18n.t('Unreadable server version.'),
      tone: 'odd',
      done: [],
      undone: [],
      reached: 0,
      next: undefined,
    };
  }
  const [from, to] = [parseVersion(plan.from), parseVersion(plan.to)];
  const forward = plan.direction === 'downgrade' ? -1 : 1;
  const isReached = (stop: string) => compareVersions(version, parseVersion(stop)) * forward >= 0;
  const runningText = i18n.t('The server runs v{version}.', { version: formatVersion(version) });

  if (compareVersions(version, from) * forward < 0) {
    const text = i18n.t('{runs} This plan starts at v{from}. Replan from the current version.', {
      runs: runningText,
      from: plan.from,
    });
    return { text, tone: 'odd', done: [], undone: [], reached: 0, next: undefined };
  }

  const reached = plan.stops.filter((stop) => isReached(stop.version));
  const next = plan.stops[reached.length];
  const current = sections[reached.length];
  const after = sections.at(-1);
  const isFinished = !next;
  // Marks only proven steps: the running version was installed and started. Backups and earlier versions can't be
  // verified.
  const last = reached.at(-1);
  const [lowest, highest] = [last?.version ?? plan.from, last?.install ?? last?.version ?? plan.from].map(
    parseVersion,
  );
  const isAtVersion =
    lowest !== undefined &&
    highest !== undefined &&
    compareVersions(lowest, version) <= 0 &&
    compareVersions(version, highest) <= 0;
  const ending = [current, isFinished ? after : undefined].flatMap((each) => each?.steps ?? []);
  const idsOf = (kinds: readonly string[]) =>
    ending.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  const waitSteps = isAtVersion ? idsOf(['wait']) : [];
  const pending = 'pending' in check.background ? check.background.pending : undefined;
  const settled = pending?.length === 0;

  const done = [
    ...(isAtVersion && reached.length > 0 ? idsOf(['upgrade', 'start', 'check version']) : []),
    ...(settled ? waitSteps : []),
  ];
  const isAtTarget = compareVersions(version, to) === 0;
  const hasStops = plan.stops.length > 0;
  const end = hasStops && isAtTarget ? i18n.t('Plan complete.') : '';
  const goOn = next ? i18n.t('You can upgrade to v{version} now.', { version: next.version }) : end;
  const beyondText =
    hasStops && isFinished && !isAtTarget ? i18n.t('This plan ends at v{to}.', { to: plan.to }) : '';
  const words = (...parts: string[]) => parts.filter(Boolean).join(' ');

  if ('unknown' in check.background) {
    return {
      text: words(runningText, beyondText, check.background.unknown),
      tone: 'waiting',
      done,
      undone: [],
      reached: reached.length,
      next: undefined,
    };
  }
  if (settled) {
    return {
      text: words(runningText, beyondText, i18n.t('No background updates pending.'), goOn),
      tone: 'good',
      done,
      undone: [],
      reached: reached.length,
      next: reached.length > 0 ? (next?.version ?? after?.id) : undefined,
    };
  }
  const names = (pending ?? []).map((name) => name.slice(0, 100).replace(/[^\w.:-]/g, '?')).join(', ');
  const pendingText = check.background.paused
    ? i18n.t(
        '{count, plural, one {# background update} other {# background updates}} pending ({names}). Enable background updates.',
        {
          count: pending?.length ?? 0,
          names,
        },
      )
    : i18n.t('{count, plural, one {# background update} other {# background updates}} running ({names}).', {
        count: pending?.length ?? 0,
        names,
      });
  const wait = next
    ? i18n.t('v{version} must wait until they finish. Check again then.', {
        version: next.version,
      })
    : i18n.t('The upgrade completes once they finish. Check again then.');
  return {
    text: words(runningText, beyondText, pendingText, wait),
    tone: 'waiting',
    done,
    undone: waitSteps,
    reached: reached.length,
    ...(next && { blocked: i18n.t('Not yet. {still} {wait}', { still: pendingText, wait }) }),
    next: undefined,
  };
}

/** Checks the server on request and advances the plan. */
export function useServerCheck(model: PlanModel, showSection: (id: string) => void) {
  const { plan, sections, done: ticked, mark, isFromServer, versionQuery } = model;
  const server = useServer();
  const queryClient = useQueryClient();
  const query = useQuery(upgradeCheckQuery(server));

  const serverVersion = versionQuery.data?.server_version;
  // A check of another version is stale.
  const currentCheck =
    serverVersion === undefined || serverVersion === query.data?.version ? query.data : undefined;
  const outcome = useMemo(
    () => (plan && currentCheck ? checkOutcome(plan, sections, currentCheck) : undefined),
    [plan, sections, currentCheck],
  );

  async function run() {
    const { data, isError } = await query.refetch();
    if (!data || isError) return;
    queryClient.setQueryData(serverVersionQuery(server).queryKey, { server_version: data.version });
    // A plan without ticks follows the server's version, so this check belongs to another plan.
    const isOfThisPlan = !isFromServer || serverVersion === undefined || data.version === serverVersion;
    if (!plan || sections.length === 0 || !isOfThisPlan) return;
    const { done, undone, next } = checkOutcome(plan, sections, data);
    const changes = done.some((id) => !ticked.has(id)) || undone.some((id) => ticked.has(id));
    if (changes) mark(done, undone);
    if (next !== undefined) showSection(next);
  }

  return {
    run: () => void run(),
    isRunning: query.isFetching,
    error: query.isFetching ? null : query.error,
    outcome,
    checkedAt: query.dataUpdatedAt,
  };
}

export type ServerCheck = ReturnType<typeof useServerCheck>;
