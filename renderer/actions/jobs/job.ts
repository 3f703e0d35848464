/** One action on one or many things: what is to be done, what was, and what could not be. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../../../shared/api/common.ts';
import { ConnectionFailure, FailureCode } from '../../../shared/connection.ts';
import { SentenceValues } from '../../../shared/sentence.ts';
import { Unredacted } from '../../api/unredacted.ts';
import { Item, keyOf } from '../items.ts';

const Failure = Type.Object({ code: FailureCode, sentence: Type.String(), values: SentenceValues });
export type Failure = Static<typeof Failure>;

export const JobItem = Type.Object({
  item: Item,
  /** Of an action of several steps, which of them it is, by the action's `id`. */
  step: Type.Optional(Type.String()),
  /** `running`: sent, and not answered; in a job that was stopped, nobody knows whether it arrived. */
  state: Type.Enum(['waiting', 'running', 'task', 'done', 'failed']),
  /** Names the request, so that one sent twice is done once. */
  transaction: Type.String(),
  /** It was sent before, and nobody knows whether it arrived then. */
  sentBefore: Type.Optional(Type.Boolean()),
  /** What goes on on the server. */
  task: Type.Optional(Type.String()),
  failure: Type.Optional(Failure),
  /** The server has queued its task. */
  queued: Type.Optional(Type.Boolean()),
  /** What of a task could not be done, and why; the rest was. */
  left: Type.Optional(Dictionary(Type.String())),
  /** The events that were to be redacted and can still be read; their reports stay open. */
  unredacted: Type.Optional(Type.Array(Unredacted)),
  /** How many pictures and files it was, where it is as many as there are. */
  media: Type.Optional(Type.Integer()),
  /** What was allowed ends then, in milliseconds since the Unix epoch. */
  until: Type.Optional(Type.Integer()),
  /** When what became of it was known, in milliseconds. */
  at: Type.Optional(Type.Integer()),
  /** What was read before it was sent. */
  before: Type.Optional(Type.Unknown()),
  /** What its undo needs. */
  undo: Type.Optional(Type.Unknown()),
  /** It was so before: nothing is to be taken back. */
  unchanged: Type.Optional(Type.Boolean()),
  /** It was so when it was sent again, after a lost answer: one's own doing, or somebody else's. */
  unsure: Type.Optional(Type.Boolean()),
  /** What the team's log says of it already, where it has no entry for each. */
  logged: Type.Optional(Type.Enum(['done', 'failed', 'undone'])),
});
export type JobItem = Static<typeof JobItem>;

export const Job = Type.Object({
  id: Type.String(),
  action: Type.String(),
  /** When the person began it, in milliseconds since the Unix epoch. */
  startedAt: Type.Optional(Type.Integer()),
  /** `undo` takes back what was done. */
  direction: Type.Enum(['do', 'undo']),
  answers: Type.Object({
    reason: Type.String(),
    fields: Dictionary(Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  }),
  items: Type.Array(JobItem),
  /** Of what is taken back, the steps that were done and can't be. */
  stays: Type.Optional(Type.Array(Type.String())),
  /** Stopped: by the person, by `why`, or because its page closed. */
  state: Type.Enum(['running', 'stopped', 'ended']),
  why: Type.Optional(Failure),
  /** Which page runs it, and when that last showed a sign of life. */
  page: Type.String(),
  beat: Type.Integer(),
});
export type Job = Static<typeof Job>;

export const asFailure = (error: unknown): Failure =>
  error instanceof ConnectionFailure
    ? { code: error.code, sentence: error.sentence, values: error.values }
    : {
        code: 'unexpected_reply',
        sentence: /*i18n*/ "Couldn't process the response. Retry; if this happens again, report it.",
        values: {},
      };

/** The server refused what was typed, and said so by a code: to send the same again is of no use. */
export const isRefusedInput = ({ code, values }: Failure) =>
  code === 'refused' && values.said !== undefined && values.errcode !== undefined;

export const asError = ({ code, sentence, values }: Failure) => new ConnectionFailure(code, sentence, values);

/** Beyond so many, entries of the log stand for several each. */
const mostLogged = 500;

/** Whether entries of the log stand for several items each: a deletion of 100 reports is one message in the team room. */
export const isLoggedTogether = ({ action, items }: Pick<Job, 'action' | 'items'>): boolean =>
  items.length > mostLogged || action === 'delete-report';

/** To whom or what it is done, each once: in several steps there are several entries for each. */
export function subjectsOf({ items }: Pick<Job, 'items'>): Item[] {
  if (items[0]?.step === undefined) return items.map(({ item }) => item);
  return [...new Map(items.map(({ item }) => [keyOf(item), item])).values()];
}

export function countsOf({ items }: Pick<Job, 'items'>) {
  const counts = { waiting: 0, running: 0, task: 0, done: 0, failed: 0, incomplete: 0 };
  for (const entry of items) counts[isIncomplete(entry) ? 'incomplete' : entry.state] += 1;
  return counts;
}

/** Done, but for some of it. */
export const isIncomplete = ({ state, left, unredacted = [] }: JobItem): boolean =>
  state === 'done' && (left !== undefined || unredacted.length > 0);

/** Others had not done it before. */
export const isOwnDoing = ({ state, unchanged }: JobItem): boolean => state === 'done' && !unchanged;

/** The reports that stay open: the events that they are on can still be read. */
export const openReportsOf = ({ unredacted = [] }: Pick<JobItem, 'unredacted'>): ReadonlySet<number> =>
  new Set(unredacted.flatMap(({ reports = [] }) => reports));

/** How many other reports on them were marked with those that it was done because of. */
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

/** How many pictures and files were reached in all; undefined where the action counts none. */
export const mediaOf = ({ items }: Pick<Job, 'items'>): number | undefined =>
  items.reduce<number | undefined>(
    (sum, { state, media }) => (state === 'done' && media !== undefined ? (sum ?? 0) + media : sum),
    undefined,
  );

/** No reply came, or a proxy's alone: the next request may well arrive. */
export const isLost = (error: unknown) =>
  error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');

/** Waits so many milliseconds; none where that is less than one. */
export const pause = (milliseconds: number) =>
  milliseconds > 0 ? new Promise<void>((resolve) => setTimeout(resolve, milliseconds)) : Promise.resolve();
