/** Runs a panel's action. */
import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import type { Conflict } from '../../../shared/team/decisions.ts';
import type { ReportKind, Subject } from '../../../shared/team/entries.ts';
import type { Decision } from '../../../shared/team/room-events.ts';
import { useConsole, useServer } from '../../console-context.ts';
import { teamOf } from '../../team/team-store.ts';
import type { Action } from '../action.ts';
import { detailOf, type Item, keyOf, reportKindOf, subjectOf } from '../items.ts';
import { asFailure, type Failure, type Job } from '../jobs/job.ts';
import { jobsOf } from '../jobs/job-store.ts';
import { type Run, resumeJob, retryJob, startJob, withMarks } from '../jobs/run-job.ts';
import { isUndoable } from '../steps.ts';
import { announceDone, offerUndoOfJob } from '../tray/announce.tsx';

/** Longer actions continue in the tray, in milliseconds. */
const maxWait = 2_000;

/** @param onOver is called when the panel can close */
export function useActing(action: Action, items: readonly Item[], onOver: () => void) {
  const server = useServer();
  const { queryClient, deletedReports } = useConsole();
  const context = { server, queryClient, deletedReports };
  const jobs = jobsOf(server);
  const [working, setWorking] = useState(false);
  const [failed, setFailed] = useState<{ job: Job; why: Failure }>();
  const [unsent, setUnsent] = useState<Failure>();
  const [secret, setSecret] = useState<string>();
  /** Colleagues' decisions just before the own one, which wasn't sent. */
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);

  function handOver({ job }: Run) {
    jobs.setHidden(job.id, false);
    onOver();
  }

  /** Runs preparations of the action. Returns undefined if they failed, which the panel shows. */
  async function prepared<Result>(prepare: () => Promise<Result>): Promise<{ result: Result } | undefined> {
    setWorking(true);
    setUnsent(undefined);
    try {
      return { result: await prepare() };
    } catch (error) {
      setWorking(false);
      setUnsent(asFailure(error));
      return undefined;
    }
  }

  /**
   * @param prepare uploads images in the answers, and returns the answers
   * @param onDone is called if the action succeeded for all items, or continues on the server
   */
  async function act(prepare: () => Promise<Answers>, onDone: () => void) {
    const ready = await prepared(prepare);
    if (!ready) return;
    const answers = ready.result;
    // The user has seen earlier conflicts and continues.
    const check =
      !failed && conflicts.length === 0
        ? teamOf(server).snapshot().announce(decisionOf(action, items), !isUndoable(action))
        : undefined;
    const found = (await check) ?? [];
    if (found.length > 0) {
      setWorking(false);
      setConflicts(found);
      return;
    }
    // Refused, or certainly not received.
    const again = failed?.job.items[0]?.state === 'failed' ? retryJob : resumeJob;
    const run = failed
      ? again(context, {
          ...failed.job,
          answers,
          items: failed.job.items.map((entry, index) => ({
            ...entry,
            item: withMarks(server, items[index] ?? entry.item),
          })),
        })
      : startJob(context, { action, items, answers });
    const withdraw = offerUndoOfJob(context, action, run);
    void run.settled.then(() => {
      if (run.job.items.every(({ state }) => state === 'done' || state === 'task')) onDone();
    });
    if (items.length > 1 || action.steps) {
      onOver();
      return;
    }
    jobs.setHidden(run.job.id, true);
    setFailed(undefined);
    const isOver = await Promise.race([run.settled.then(() => true), later(maxWait)]);
    if (!isOver && action.shownOnce) await run.settled;
    else if (!isOver) return handOver(run);
    setWorking(false);

    const [entry] = run.job.items;
    if (entry?.state === 'task') return handOver(run);
    const job = structuredClone(run.job);
    // The panel shows the failure and has the retry, so the tray doesn't.
    jobs.remove(job.id);
    if (entry?.state !== 'done') {
      const fault = entry?.failure ?? job.why;
      withdraw();
      if (fault) setFailed({ job, why: fault });
      return;
    }
    const shownOnce = run.secrets.get(keyOf(entry.item));
    announceDone(context, action, job);
    if (shownOnce === undefined) onOver();
    else setSecret(shownOnce);
  }

  return { act, prepared, working, why: unsent ?? failed?.why, secret, conflicts };
}

/** The announcement to colleagues: the reports, and the common subject of the action. */
function decisionOf({ id }: Action, items: readonly Item[]): Decision {
  const subjects = items.flatMap((item): Subject[] => {
    const { reports = [], reportKind = 'report', further = [] } = item;
    const subject = detailOf(item) === undefined ? subjectOf(item) : undefined;
    const led: { of: ReportKind; reports: readonly number[] }[] = [
      { of: reportKind, reports },
      ...further,
      ...(item.kind === 'filed' ? [{ of: reportKindOf(item), reports: [item.reportId] }] : []),
    ];
    const ofReports = led.flatMap(({ of, reports }) => reports.map((id): Subject => ({ kind: of, id })));
    return subject ? [...ofReports, subject] : ofReports;
  });
  return { action: id, subjects };
}

const later = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds));

/**
 * Focuses the first invalid field.
 *
 * @param refusals number of attempts to submit invalid input
 */
export function useFaultFocus(form: RefObject<HTMLFormElement | null>, refusals: number) {
  useLayoutEffect(() => {
    if (refusals === 0) return;
    const inputs = [
      ...(form.current?.querySelectorAll<HTMLInputElement>('[aria-invalid=true], [required]') ?? []),
    ];
    inputs.find((input) => input.ariaInvalid === 'true' || input.value.trim() === '')?.focus();
  }, [form, refusals]);
}
