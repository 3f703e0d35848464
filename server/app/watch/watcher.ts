/** Watches a homeserver and sends alerts. Of several watchers with one account, only one is active at a time. */
import { ConnectionFailure } from '../../../shared/connection.ts';
import { foldCases, isMutedReporter, isWatched } from '../../../shared/team/cases.ts';
import { type Alert, awayAlert, backAlert, reportAlert, taskAlert, urgentAlert } from './alerts.ts';
import type { Target } from './deliver.ts';
import { retentionRunner } from './evidence-retention.ts';
import { caseOf, failedTasks, initialState, newReports, type Report, reportKinds } from './observe.ts';
import type { QuietHours } from './quiet-hours.ts';
import { ruleRunner, urgentReasonsIn } from './rule-actions.ts';
import { scheduledBy, scheduledRunner } from './scheduled-actions.ts';
import { backlogAlerts, escalationAlert, mayLackReason, withNews } from './team-alerts.ts';
import { watchTeam } from './team-room.ts';
import { emptyBacklog, readState, type WatchState, writeState } from './watch-state.ts';
import type { WatchedServer } from './watched-server.ts';

export type WatchOptions = {
  server: WatchedServer;
  targets: readonly Target[];
  /** Reads the team room, carries out scheduled actions and automatic rules, and removes evidence that is due. */
  readsTeam?: boolean | undefined;
  /** URL of the console that alerts link to, with a trailing slash. */
  console?: string | undefined;
  /** Minimum interval of non-urgent alerts. */
  everyMs: number;
  isQuiet: QuietHours;
  /** How long a stopped watcher blocks others. */
  leaseMs: number;
  /** Identifies this watcher. */
  id: string;
  now(): number;
  sleep(ms: number): Promise<void>;
  log(line: string): void;
};

/** A restarting server is unreachable for a moment. */
const failuresUntilAway = 2;
/** After this time, a concurrent claim by another watcher has arrived. */
const claimMs = 1_000;
/** A console sends the reason of an escalation right after it. */
const reasonMs = 2_000;

export type Watcher = {
  /** Runs one round and sends alerts. Failures are logged; the next round retries. */
  round(): Promise<void>;
  /** Lets another watcher take over at once. */
  release(): Promise<void>;
};

export function createWatcher(options: WatchOptions): Watcher {
  const { server, targets, console, everyMs, isQuiet, leaseMs, id, now, sleep, log } = options;
  let failures = 0;
  let awaySince: number | undefined;
  let isAwayReported = false;
  let isMyTurn = false;
  const team = options.readsTeam ? watchTeam(server, { now, log }) : undefined;
  const runScheduled = team && scheduledRunner({ server, team, id, now, sleep, log });
  const runRules = team && ruleRunner({ server, team, now, log });
  const runRetention = team && retentionRunner({ server, team, id, now, sleep, log });

  /** Returns the state if this watcher is the active one. */
  async function takeTurn(): Promise<WatchState | undefined> {
    const state = await readState(server);
    if (state && state.watcher !== id && state.until > now()) return undefined;
    if (state?.watcher === id) return state;
    const claimed = { ...(state ?? (await initialState(server))), watcher: id, until: now() + leaseMs };
    await writeState(server, claimed);
    await sleep(claimMs);
    const confirmed = await readState(server);
    return confirmed?.watcher === id ? confirmed : undefined;
  }

  /** Delivers to each target. Throws only if all fail, so that one broken target doesn't repeat the others. */
  async function deliver(alerts: readonly Alert[]) {
    if (alerts.length === 0) return;
    const results = await Promise.allSettled(targets.map((target) => target.deliver(alerts)));
    const failed = results.flatMap((result, index) =>
      result.status === 'rejected' ? [`${targets[index]?.name}: ${reasonOf(result.reason)}`] : [],
    );
    for (const failure of failed) log(`couldn't deliver to ${failure}`);
    if (failed.length === targets.length) throw new Error('no target took the alerts');
  }

  async function watch(state: WatchState): Promise<void> {
    const isDue = now() - state.toldAt >= everyMs && !isQuiet(now());
    const alerts: (Alert | undefined)[] = [];
    const next = { ...state, watcher: id, until: now() + leaseMs };
    const isUrgentReason = urgentReasonsIn(team?.log.documents());
    const cases = foldCases(team?.log.caseEntries() ?? [], []);
    const isUrgent = (report: Report) =>
      isUrgentReason(report.reason ?? '') || isWatched(cases.get(caseOf(report)), now());
    const isMuted = (userId: string) => isMutedReporter(cases, userId, now());
    for (const kind of reportKinds) {
      const found = await newReports(server, kind, state[kind], { isUrgent, isMuted });
      if (!found) continue;
      alerts.push(urgentAlert(found, console), isDue ? reportAlert(found, console) : undefined);
      next[kind] = { urgent: found.newestId, all: isDue ? found.newestId : state[kind].all };
    }
    if (isDue) {
      const failed = await failedTasks(server);
      alerts.push(taskAlert(failed.filter((task) => !state.failedTasks.includes(task.id))));
      next.failedTasks = failed.map((task) => task.id);
    }
    const ofTeam = await teamAlerts(state, isDue);
    if (ofTeam) {
      alerts.push(...ofTeam.alerts);
      next.team = ofTeam.team;
    }
    const due = alerts.filter((alert) => alert !== undefined);
    if (due.some(({ isUrgent }) => !isUrgent)) next.toldAt = now();
    await deliver(due);
    await writeState(server, next);
  }

  /** An unreadable team room doesn't delay other alerts. */
  async function inTeam<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (isUnreachable(error)) throw error;
      log(`team room: ${reasonOf(error)}`);
      return undefined;
    }
  }

  const teamAlerts = ({ team: before }: WatchState, isDue: boolean) =>
    inTeam(async () => {
      let news = await team?.news(before?.position);
      if (team && news && mayLackReason(news.entries, team.log)) {
        await sleep(reasonMs);
        news = await team.news(before?.position);
      }
      if (!team || !news) return undefined;
      const { entries, position } = news;
      const backlog = withNews(before?.backlog ?? emptyBacklog, entries, team.log);
      const escalated = escalationAlert(entries, team.log, console);
      const urgent = escalated ? [escalated] : [];
      if (!isDue) return { alerts: urgent, team: { position, backlog } };
      const { alerts, left } = backlogAlerts(backlog, team.log, scheduledBy(team), { now: now(), console });
      return { alerts: [...urgent, ...alerts], team: { position, backlog: left } };
    });

  async function back() {
    failures = 0;
    const since = awaySince;
    awaySince = undefined;
    if (since === undefined || !isAwayReported) return;
    isAwayReported = false;
    await deliver([backAlert(since, now())]);
  }

  return {
    async round() {
      try {
        const state = await takeTurn();
        await back();
        if ((state !== undefined) !== isMyTurn)
          log(state ? 'watching' : 'waiting: another watcher is active');
        isMyTurn = state !== undefined;
        if (!state) team?.forget();
        else {
          // First, so that the alerts include failures, and remaining actions count as late.
          if (runScheduled) await inTeam(runScheduled);
          if (runRules) await inTeam(runRules);
          if (runRetention) await inTeam(runRetention);
          await watch(state);
        }
      } catch (error) {
        log(reasonOf(error));
        if (!isUnreachable(error)) return;
        failures += 1;
        awaySince ??= now();
        if (failures < failuresUntilAway || isAwayReported || !isMyTurn) return;
        isAwayReported = true;
        await deliver([awayAlert(awaySince, reasonOf(error))]).catch((failure) => log(reasonOf(failure)));
      }
    },
    async release() {
      if (!isMyTurn) return;
      try {
        const state = await readState(server);
        if (state?.watcher === id) await writeState(server, { ...state, until: 0 });
      } catch (error) {
        log(reasonOf(error));
      }
    },
  };
}

const isUnreachable = (error: unknown) =>
  error instanceof ConnectionFailure && ['unreachable', 'timeout'].includes(error.code);

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
