/** Outbox: entries added on this device that aren't in the team room yet. Without a room, all entries. */

import { type Static, Type } from 'typebox';
import { fits } from '../../shared/fits.ts';
import { isDocument, type Version } from '../../shared/team/documents.ts';
import {
  Body,
  type Mark,
  type MarkedAs,
  maxReportsPerEntry,
  type ReportState,
  type Subject,
} from '../../shared/team/entries.ts';
import { markedAs } from '../../shared/team/fold.ts';
import { newId } from '../new-id.ts';
import type { Server } from '../transport/server.ts';

/** Half of a browser's local storage. Beyond it, marks are compacted (room for about 100,000), then the oldest dropped. */
const maxMarkChars = 2_500_000;
const fullChars = 0.95 * maxMarkChars;
const maxOtherEntries = 2_000;
const maxDocuments = 500;

/** Delay until other tabs have certainly seen this tab's changes. */
const tabSyncMs = 3_000;

const OutboxEntry = Type.Object({
  /** Transaction ID. */
  id: Type.String(),
  at: Type.Integer({ description: 'When it was added, in milliseconds since the Unix epoch' }),
  body: Body,
  /** One per report, if several marks were combined. */
  times: Type.Optional(Type.Array(Type.Integer())),
  /** It may have been received, so it must not change. */
  tried: Type.Optional(Type.Boolean()),
});
export type OutboxEntry = Static<typeof OutboxEntry>;

type MarkBody = Extract<Body, { type: 'mark' }>;

export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(server: Server) {
  const stored = server.deviceStorage.open(`gatehouse.team.${server.id}`, Type.Array(OutboxEntry), []);
  /** Entries that this tab added: another tab that writes at the same moment drops them. */
  const addedHere = new Map<string, OutboxEntry>();

  function add(bodies: readonly Body[]) {
    if (bodies.length === 0) return;
    const wrong = bodies.find((body) => !fits(Body, body));
    if (wrong) throw new RangeError(`Invalid log entry: ${JSON.stringify(wrong).slice(0, 500)}`);
    const added = bodies.map((body) => ({ id: newId(), at: Date.now(), body }));
    const waiting = stored.read();
    const superseded = new Set(waiting.filter((entry) => isSuperseded(entry, bodies)));
    for (const { id } of superseded) addedHere.delete(id);
    for (const entry of added) addedHere.set(entry.id, entry);
    write([...waiting.filter((entry) => !superseded.has(entry)), ...added]);
  }
  const write = (entries: OutboxEntry[]) => stored.write(trimOutbox(entries, ({ id }) => addedHere.has(id)));

  const isLostWithPage = () => !stored.isKept() && stored.read().length > 0;
  const onUnload = (event: Event) => {
    if (isLostWithPage()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);

  return {
    read: stored.read,
    /** Whether entries exist that couldn't be stored. */
    isLostWithPage,
    /** Whether new marks replace the oldest. */
    isFull: () => sumOf(stored.read().filter(isMark)) > fullChars,
    subscribe: stored.subscribe,
    close: () => window.removeEventListener('beforeunload', onUnload),
    add,

    prepend(entries: readonly OutboxEntry[]) {
      write([...entries, ...stored.read()]);
    },

    /** Returns the next entry, merged with the marks that follow it; the same one until it's removed. */
    next(): OutboxEntry | undefined {
      const [first, ...rest] = stored.read();
      if (!first || first.tried) return first;
      const [merged, left] = mergeFollowing(first, rest);
      for (const { id } of rest.slice(0, rest.length - left.length)) addedHere.delete(id);
      stored.write([{ ...merged, tried: true }, ...left]);
      return merged;
    },

    remove(id: string) {
      addedHere.delete(id);
      stored.write(stored.read().filter((entry) => entry.id !== id));
    },

    /** Restores entries that this tab added and another one dropped, once each. */
    restoreDropped(hasArrived: (id: string) => boolean) {
      const storedIds = new Set(stored.read().map(({ id }) => id));
      const synced = [...addedHere.values()].filter(({ at }) => at <= Date.now() - tabSyncMs);
      for (const { id } of synced) addedHere.delete(id);
      const dropped = synced.filter(({ id }) => !storedIds.has(id) && !hasArrived(id));
      if (dropped.length > 0) write([...stored.read(), ...dropped]);
    },
  };
}

/** Whether it's a superseded version of a document among these, which hasn't been sent. */
const isSuperseded = ({ body: waiting, tried }: OutboxEntry, bodies: readonly Body[]): boolean =>
  !tried &&
  waiting.type === 'document' &&
  bodies.some((body) => body.type === 'document' && body.kind === waiting.kind && body.key === waiting.key);

/** Returns marks for these reports, as few as the maximum per entry allows. */
export function markBodies(reports: readonly number[], as: MarkedAs, about?: readonly Subject[]): MarkBody[] {
  const { of, ...rest } = markedAs(as);
  const bodies: MarkBody[] = [];
  for (let start = 0; start < reports.length; start += maxReportsPerEntry) {
    const some = reports.slice(start, start + maxReportsPerEntry);
    bodies.push({
      type: 'mark',
      ...(of && of !== 'report' && { of }),
      reports: some,
      ...rest,
      ...(about && about.length > 0 && { about: [...about] }),
    });
  }
  return bodies;
}

/** Returns bodies that set these marks of one kind of report again. */
export function markBodiesFrom(
  marks: ReadonlyMap<number, Mark>,
  states: readonly ReportState[] = ['reviewed', 'escalated'],
): MarkBody[] {
  return states.flatMap((state) => {
    const ofState = [...marks.values()].filter((mark) => mark.state === state);
    return [...Map.groupBy(ofState, keyOf).values()].flatMap((same) =>
      same[0]
        ? markBodies(
            same.map(({ reportId }) => reportId),
            same[0],
          )
        : [],
    );
  });
}

/** The same for marks that can share an entry. */
const keyOf = (mark: MarkedAs) => JSON.stringify(markedAs(mark));

/** Adds the time of each mark to a body. */
function withTimes(body: MarkBody, marks: ReadonlyMap<number, Mark>) {
  const times = body.reports.map((reportId) => marks.get(reportId)?.at ?? 0);
  return { at: Math.min(...times), body, times };
}

/** Merges following marks with the same state into the first, up to the maximum per entry. Returns it and the rest. */
function mergeFollowing(first: OutboxEntry, rest: OutboxEntry[]): [OutboxEntry, OutboxEntry[]] {
  if (first.body.type !== 'mark' || first.body.about) return [first, rest];
  const key = keyOf(first.body);
  const times = new Map(first.body.reports.map((reportId) => [reportId, first.at]));
  let taken = 0;
  for (const { at, body, tried } of rest) {
    if (tried || body.type !== 'mark' || body.about || keyOf(body) !== key) break;
    if (times.size + body.reports.length > maxReportsPerEntry) break;
    for (const reportId of body.reports) times.set(reportId, at);
    taken++;
  }
  if (taken === 0) return [first, rest];
  const body: Body = { ...first.body, reports: [...times.keys()] };
  return [{ ...first, body, times: [...times.values()] }, rest.slice(taken)];
}

type MarkOutboxEntry = OutboxEntry & { body: MarkBody };
const isMark = (entry: OutboxEntry): entry is MarkOutboxEntry => entry.body.type === 'mark';

const sizes = new WeakMap<OutboxEntry, number>();
/** In characters of JSON. */
function sizeOf(entry: OutboxEntry): number {
  const size = sizes.get(entry) ?? JSON.stringify(entry).length;
  sizes.set(entry, size);
  return size;
}
const sumOf = (entries: readonly OutboxEntry[]) => entries.reduce((sum, each) => sum + sizeOf(each), 0);

/** Compacts marks if they exceed the limit, then drops the oldest entries. Pinned entries aren't merged. */
export function trimOutbox(entries: OutboxEntry[], isPinned: (entry: OutboxEntry) => boolean): OutboxEntry[] {
  const all = sumOf(entries.filter(isMark)) > maxMarkChars ? compact(entries, isPinned) : entries;
  let [marks, documents, others] = [0, 0, 0];
  const newest = all.toReversed().filter((each) => {
    if (isDocument(each)) return ++documents <= maxDocuments;
    if (!isMark(each)) return ++others <= maxOtherEntries;
    marks += sizeOf(each);
    return marks <= maxMarkChars;
  });
  return newest.toReversed();
}

/** Marks with fewer reports are merged: their overhead exceeds their IDs. */
const mergeBelowReports = 20;

/** Drops overridden marks and merges small ones. Entries that were tried come first. */
function compact(entries: readonly OutboxEntry[], isPinned: (entry: OutboxEntry) => boolean): OutboxEntry[] {
  const mayChange = (each: OutboxEntry): each is MarkOutboxEntry =>
    isMark(each) && !each.tried && !isPinned(each);
  const seen = new Set<string>();
  const newestFirst = entries.toReversed().map((each) => {
    if (!isMark(each)) return each;
    const nameOf = (reportId: number) => `${each.body.of ?? ''}${reportId}`;
    const remaining = mayChange(each) ? withoutReports(each, (reportId) => seen.has(nameOf(reportId))) : each;
    for (const reportId of remaining.body.reports) seen.add(nameOf(reportId));
    return remaining;
  });
  const all = newestFirst.reverse();
  const isSmall = (each: OutboxEntry) => mayChange(each) && each.body.reports.length < mergeBelowReports;
  return [
    ...all.filter(({ tried }) => tried),
    ...mergeMarks(all.filter(isMark).filter(isSmall)),
    ...all.filter((each) => !each.tried && !isSmall(each)),
  ];
}

function withoutReports(mark: MarkOutboxEntry, isGone: (reportId: number) => boolean): MarkOutboxEntry {
  const { body, times } = mark;
  const isLeft = body.reports.map((reportId) => !isGone(reportId));
  if (!isLeft.includes(false)) return mark;
  const left = (numbers: readonly number[]) => numbers.filter((_, index) => isLeft[index]);
  return { ...mark, body: { ...body, reports: left(body.reports) }, ...(times && { times: left(times) }) };
}

/** @param marks at most one per report */
function mergeMarks(marks: readonly MarkOutboxEntry[]): OutboxEntry[] {
  return [...Map.groupBy(marks, ({ body }) => body.of).values()].flatMap((those) => {
    const each = those.flatMap(({ at, times, body }) =>
      body.reports.map((reportId, index) => ({
        ...markedAs(body),
        reportId,
        by: '',
        at: times?.[index] ?? at,
      })),
    );
    const byReport = new Map(each.sort((a, b) => a.at - b.at).map((mark) => [mark.reportId, mark]));
    const bodies = markBodiesFrom(byReport, ['open', 'reviewed', 'escalated']);
    return bodies.map((body) => ({ id: newId(), ...withTimes(body, byReport) }));
  });
}

/** Prefix of the IDs of marks copied from a former team room. */
const copyPrefix = 'carried-';

export const isCopied = ({ id }: OutboxEntry) => id.startsWith(copyPrefix);

/** Returns entries that set these marks of one kind again, at their times. IDs are the same in all tabs. */
export function copiedMarks(marks: readonly Mark[]): OutboxEntry[] {
  const oldestFirst = marks.toSorted((one, other) => one.at - other.at);
  const byReport = new Map(oldestFirst.map((mark) => [mark.reportId, mark]));
  return markBodiesFrom(byReport).map((body) => {
    const { at, times } = withTimes(body, byReport);
    // Another tab may have sent it already, so nothing is merged into it.
    return {
      id: `${copyPrefix}${body.of}-${body.state}-${body.seen}-${at}-${times.length}${body.verdict ?? ''}${body.policy ?? ''}`,
      at,
      body,
      times,
      tried: true,
    };
  });
}

/** Returns entries that add these documents again, at their times. IDs are the same in all tabs. */
export const copiedDocuments = (versions: readonly Version[]): OutboxEntry[] =>
  versions.map(({ id, at, body }) => ({ id: `${copyPrefix}${id.slice(0, 200)}`, at, body, tried: true }));
