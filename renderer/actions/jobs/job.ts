/** A job: one action on one or many items, with the result of each. Stored in localStorage. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { ConnectionFailure, FailureCode } from '../../../shared/connection.ts';
import { SentenceValues } from '../../../shared/sentence.ts';
import { policyIn, strikeIn } from '../../../shared/team/action-inputs.ts';
import type { Strike } from '../../../shared/team/entries.ts';
import { Unredacted } from '../../api/unredacted.ts';
import { Item, keyOf } from '../items.ts';

const Failure = Type.Object({ code: FailureCode, sentence: Type.String(), values: SentenceValues });
export type Failure = Static<typeof Failure>;

export const JobItem = Type.Object({
  item: Item,
  /** The step's action `id`, in an action of several steps. */
  step: Type.Optional(Type.String()),
  /** `running`: sent without a reply; in a stopped job, the result is unknown. */
  state: Type.Enum(['waiting', 'running', 'task', 'done', 'failed']),
  /** Idempotency key of the request. */
  transaction: Type.String(),
  /** Sent before, with an unknown result. */
  sentBefore: Type.Optional(Type.Boolean()),
  /** ID of the task that continues it on the server. */
  task: Type.Optional(Type.String()),
  failure: Type.Optional(Failure),
  /** The server has queued its task. */
  queued: Type.Optional(Type.Boolean()),
  /** The parts of a task that failed, and why; the rest succeeded. */
  left: Type.Optional(Dictionary(Type.String())),
  /** The events that couldn't be redacted; their reports stay open. */
  unredacted: Type.Optional(Type.Array(Unredacted)),
  /** Number of files, for actions on all media of a user or room. */
  media: Type.Optional(Type.Integer()),
  /** When a permission expires, in milliseconds since the Unix epoch. */
  until: Type.Optional(Type.Integer()),
  /** When it reached its final state, in milliseconds since the Unix epoch. */
  at: Type.Optional(Type.Integer()),
  /** The state read before the request (`Work.first`). */
  before: Type.Optional(Type.Unknown()),
  /** Data for its undo. */
  undo: Type.Optional(Type.Unknown()),
  /** Nothing changed: there is nothing to undo. */
  unchanged: Type.Optional(Type.Boolean()),
  /** Changed between a lost request and its retry, by that request or by another admin. */
  unsure: Type.Optional(Type.Boolean()),
  /** The outcome already logged, in jobs whose items are logged together. */
  logged: Type.Optional(Type.Enum(['done', 'failed', 'undone'])),
});
export type JobItem = Static<typeof JobItem>;

export const Job = Type.Object({
  id: Type.String(),
  action: Type.String(),
  /** In milliseconds since the Unix epoch. */
  startedAt: Type.Optional(Type.Integer()),
  direction: Type.Enum(['do', 'undo']),
  answers: Type.Object({
    reason: Type.String(),
    fields: Dictionary(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  }),
  items: Type.Array(JobItem),
  /** In an undo, the steps that can't be undone. */
  stays: Type.Optional(Type.Array(Type.String())),
  /** `stopped`: by the user, by `why`, or because its page closed. */
  state: Type.Enum(['running', 'stopped', 'ended']),
  why: Type.Optional(Failure),
  /** ID of the page that runs it. */
  page: Type.String(),
  /** That page's last heartbeat, in milliseconds since the Unix epoch. */
  beat: Type.Integer(),
});
export type Job = Static<typeof Job>;

export const asFailure = (error: unknown): Failure =>
  error instanceof ConnectionFailure
    ? { code: error.code, sentence: error.sentence, values: error.values }
    : {
        code: 'unexpected_reply',
        sentence: /*i18n*/ "Couldn't process the response. If this happens again, report it.",
        values: {},
      };

/** Whether the server rejected the input: a retry with the same input is pointless. */
export const isRefusedInput = ({ code, values }: Failure) =>
  code === 'refused' && values.said !== undefined && values.errcode !== undefined;

export const asError = ({ code, sentence, values }: Failure) => new ConnectionFailure(code, sentence, values);

/** Jobs with more items are logged together. */
const maxSingleEntries = 500;

/** Whether a log entry covers several items: a deletion of 100 reports is one message in the team room. */
export const isLoggedTogether = ({ action, items }: Pick<Job, 'action' | 'items'>): boolean =>
  items.length > maxSingleEntries || action === 'delete-report';

/** Returns the items without duplicates: each step has its own entry. */
export function distinctItems({ items }: Pick<Job, 'items'>): Item[] {
  if (items[0]?.step === undefined) return items.map(({ item }) => item);
  return [...new Map(items.map(({ item }) => [keyOf(item), item])).values()];
}

export function countsOf({ items }: Pick<Job, 'items'>) {
  const counts = { waiting: 0, running: 0, task: 0, done: 0, failed: 0, incomplete: 0 };
  for (const entry of items) counts[isIncomplete(entry) ? 'incomplete' : entry.state] += 1;
  return counts;
}

/** Whether it succeeded in part. */
export const isIncomplete = ({ state, left, unredacted = [] }: JobItem): boolean =>
  state === 'done' && (left !== undefined || unredacted.length > 0);

/** Whether the job itself changed the item. */
export const isOwnChange = ({ state, unchanged }: JobItem): boolean => state === 'done' && !unchanged;

/** Returns the reports that stay open because their events couldn't be redacted. */
export const openReportsOf = ({ unredacted = [] }: Pick<JobItem, 'unredacted'>): ReadonlySet<number> =>
  new Set(unredacted.flatMap(({ reports = [] }) => reports));

/** Returns the number of other reports that the job resolved. */
export const furtherOf = ({ items }: Pick<Job, 'items'>): number =>
  items
    .filter(({ state }) => state === 'done')
    .flatMap((entry) =>
      (entry.item.further ?? []).map((further) => ({ ...further, open: openReportsOf(entry) })),
    )
    .reduce(
      (sum, { of, reports, open }) =>
        sum + (of === 'report' ? reports.filter((id) => !open.has(id)) : reports).length,
      0,
    );

/** Returns the total number of files; undefined if the action counts none. */
export const mediaOf = ({ items }: Pick<Job, 'items'>): number | undefined =>
  items.reduce<number | undefined>(
    (sum, { state, media }) => (state === 'done' && media !== undefined ? (sum ?? 0) + media : sum),
    undefined,
  );

/** Whether no reply came, or only a proxy's: a retry can succeed. */
export const isLost = (error: unknown) =>
  error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');

export const pause = (milliseconds: number) =>
  milliseconds > 0 ? new Promise<void>((resolve) => setTimeout(resolve, milliseconds)) : Promise.resolve();

/** Returns the key of the policy that a job rests on. */
export const policyOf = ({ answers }: Pick<Job, 'answers'>): string | undefined => policyIn(answers.fields);

/** Returns the strike that a job adds to each of its users. */
export const strikeOf = (job: Pick<Job, 'id' | 'action' | 'answers' | 'items'>): Strike | undefined =>
  strikeIn(job.answers.fields, strikeId(job));

const maxStrikeId = 255;

/** Two moderators who decide a report in the same way at once add the same strike. */
function strikeId({ id, action, answers, items }: Pick<Job, 'id' | 'action' | 'answers' | 'items'>): string {
  const [first] = items;
  const { reports = [], reportKind = 'report' } = first?.item ?? {};
  const isOne = first && items.every(({ item }) => keyOf(item) === keyOf(first.item));
  const shared = `${action} ${reportKind} ${Math.min(...reports)} ${policyOf({ answers })}`;
  return isOne && reports.length > 0 && shared.length <= maxStrikeId ? shared : id;
}
