/** What was added on this machine and is not in the team's room yet; without a room, all that there is. */
import { type Static, Type } from 'typebox';
import { fits } from '../../shared/fits.ts';
import type { Server } from '../transport/server.ts';
import {
  Body,
  type Mark,
  mostReportsAtOnce,
  ReportId,
  type ReportKind,
  type ReportState,
  type Subject,
} from './entries.ts';

/**
 * So many characters of marks are kept, which is half of what a browser keeps of a page: beyond them each report's last
 * mark alone, which is room for 100,000 that were set one by one, and then the newest.
 */
const mostOfMarks = 2_500_000;
const nearlyAll = 0.95 * mostOfMarks;
/** Beyond these the oldest are forgotten, so that the storage never runs full. */
const mostOthers = 2_000;

/** After this time another tab has heard what this one wrote. */
const heardMs = 3_000;

const Waiting = Type.Object({
  /** Names the request that sends it, so that one sent twice is one event. */
  id: Type.String(),
  at: Type.Integer({ description: 'When it was added, in milliseconds since the Unix epoch' }),
  body: Body,
  /** When each report of a mark was marked, where that was one after another. */
  times: Type.Optional(Type.Array(Type.Integer())),
  /** It may have arrived: it must not change any more. */
  tried: Type.Optional(Type.Boolean()),
});
export type Waiting = Static<typeof Waiting>;

type MarkBody = Extract<Body, { type: 'mark' }>;

export type Outbox = ReturnType<typeof openOutbox>;

export function openOutbox(server: Server) {
  const kept = server.kept.open(`gatehouse.team.${server.id}`, Type.Array(Waiting), []);
  /** What this tab added: one that writes at the same moment doesn't know of it yet, and drops it. */
  const mine = new Map<string, Waiting>();

  function add(bodies: readonly Body[]) {
    if (bodies.length === 0) return;
    const wrong = bodies.find((body) => !fits(Body, body));
    if (wrong)
      throw new RangeError(`The team's log takes no such entry: ${JSON.stringify(wrong).slice(0, 500)}`);
    const added = bodies.map((body) => ({ id: newId(), at: Date.now(), body }));
    for (const waiting of added) mine.set(waiting.id, waiting);
    write([...kept.read(), ...added]);
  }
  /** What another tab may not have heard of yet stays as it is, so that it can be put back. */
  const write = (waiting: Waiting[]) => kept.write(bounded(waiting, ({ id }) => mine.has(id)));
  moveOldMarks(server, (reports) => add(markBodies(reports, 'reviewed')));

  const isLostWithPage = () => !kept.isKept() && kept.read().length > 0;
  const onUnload = (event: Event) => {
    if (isLostWithPage()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);

  return {
    read: kept.read,
    /** Whether something waits that the browser had no room to keep. */
    isLostWithPage,
    /** Whether the oldest marks are forgotten for what is added. */
    isFull: () => sumOf(kept.read().filter(isMark)) > nearlyAll,
    subscribe: kept.subscribe,
    close: () => window.removeEventListener('beforeunload', onUnload),
    add,

    /** Adds what was added elsewhere, before all that waits. */
    carry(carried: readonly Waiting[]) {
      write([...carried, ...kept.read()]);
    },

    /** The next to be sent, with the marks that can go along; the same again until it is removed. */
    next(): Waiting | undefined {
      const [first, ...rest] = kept.read();
      if (!first || first.tried) return first;
      const [sent, left] = together(first, rest);
      for (const { id } of rest.slice(0, rest.length - left.length)) mine.delete(id);
      kept.write([{ ...sent, tried: true }, ...left]);
      return sent;
    },

    remove(id: string) {
      mine.delete(id);
      kept.write(kept.read().filter((waiting) => waiting.id !== id));
    },

    /** Puts back, once, what this tab added and another one dropped. What has arrived is not missed. */
    putBack(hasArrived: (id: string) => boolean) {
      const there = new Set(kept.read().map(({ id }) => id));
      const heard = [...mine.values()].filter(({ at }) => at <= Date.now() - heardMs);
      for (const { id } of heard) mine.delete(id);
      const dropped = heard.filter(({ id }) => !there.has(id) && !hasArrived(id));
      if (dropped.length > 0) write([...kept.read(), ...dropped]);
    },
  };
}

/** The bodies that give reports a state: more than one where they are many. */
export function markBodies(
  reports: readonly number[],
  state: ReportState,
  of: ReportKind = 'report',
  seen?: ReportState,
  about?: readonly Subject[],
): MarkBody[] {
  const bodies: MarkBody[] = [];
  for (let start = 0; start < reports.length; start += mostReportsAtOnce) {
    const some = reports.slice(start, start + mostReportsAtOnce);
    bodies.push({
      type: 'mark',
      ...(of !== 'report' && { of }),
      reports: some,
      state,
      ...(seen && { seen }),
      ...(about && about.length > 0 && reports.length === 1 && { about: [...about] }),
    });
  }
  return bodies;
}

/** The bodies that set the same marks, of reports of one kind, again; by themselves not those that were taken back. */
export function marksOf(
  marks: ReadonlyMap<number, Mark>,
  states: readonly ReportState[] = ['reviewed', 'escalated'],
): MarkBody[] {
  const all = [...marks.values()];
  return states.flatMap((state) => {
    const those = Map.groupBy(
      all.filter((mark) => mark.state === state),
      ({ seen }) => seen,
    );
    return [...those].flatMap(([seen, same]) =>
      markBodies(
        same.map(({ reportId }) => reportId),
        state,
        all[0]?.of,
        seen,
      ),
    );
  });
}

/** A body of marks with the time at which each of them was set. */
function withTimes(body: MarkBody, marks: ReadonlyMap<number, Mark>) {
  const times = body.reports.map((reportId) => marks.get(reportId)?.at ?? 0);
  return { at: Math.min(...times), body, times };
}

/** Merges the marks that follow one with the same state into it, as many as one entry holds, each with its time. */
function together(first: Waiting, rest: Waiting[]): [Waiting, Waiting[]] {
  if (first.body.type !== 'mark' || first.body.about) return [first, rest];
  const { of, state, seen } = first.body;
  const times = new Map(first.body.reports.map((reportId) => [reportId, first.at]));
  let taken = 0;
  for (const { at, body, tried } of rest) {
    if (
      tried ||
      body.type !== 'mark' ||
      body.about ||
      body.state !== state ||
      body.of !== of ||
      body.seen !== seen
    )
      break;
    if (times.size + body.reports.length > mostReportsAtOnce) break;
    for (const reportId of body.reports) times.set(reportId, at);
    taken++;
  }
  if (taken === 0) return [first, rest];
  const body: Body = { ...first.body, reports: [...times.keys()] };
  return [{ ...first, body, times: [...times.values()] }, rest.slice(taken)];
}

/** An earlier console kept marks as a list of reviewed reports; another tab may still have it open. */
function moveOldMarks({ id, kept }: Server, move: (reports: number[]) => void) {
  const old = kept.open(`gatehouse.reviewed.${id}`, Type.Array(Type.Integer()), []);
  const moveThem = () => {
    const reports = old.read().filter((id) => fits(ReportId, id));
    if (reports.length === 0) return;
    old.write([]);
    move(reports);
  };
  old.subscribe(moveThem);
  moveThem();
}

type WaitingMark = Waiting & { body: MarkBody };
const isMark = (waiting: Waiting): waiting is WaitingMark => waiting.body.type === 'mark';

const sizes = new WeakMap<Waiting, number>();
/** In characters, as it is kept. */
function sizeOf(waiting: Waiting): number {
  const size = sizes.get(waiting) ?? JSON.stringify(waiting).length;
  sizes.set(waiting, size);
  return size;
}
const sumOf = (waiting: readonly Waiting[]) => waiting.reduce((sum, each) => sum + sizeOf(each), 0);

/** Keeps marks in little room: gathered if they take more than that, and then without the oldest. */
export function bounded(waiting: Waiting[], mustStay: (waiting: Waiting) => boolean): Waiting[] {
  const all = sumOf(waiting.filter(isMark)) > mostOfMarks ? gathered(waiting, mustStay) : waiting;
  let [marks, others] = [0, 0];
  const newest = all.toReversed().filter((each) => {
    if (!isMark(each)) return ++others <= mostOthers;
    marks += sizeOf(each);
    return marks <= mostOfMarks;
  });
  return newest.toReversed();
}

/** One with fewer reports goes together with others: by itself it takes more room than its reports. */
const worthAnEntry = 20;

/** The same marks without those that a later one replaces, in few entries. What was tried comes first. */
function gathered(waiting: readonly Waiting[], mustStay: (waiting: Waiting) => boolean): Waiting[] {
  const mayChange = (each: Waiting): each is WaitingMark => isMark(each) && !each.tried && !mustStay(each);
  const named = new Set<string>();
  const newestFirst = waiting.toReversed().map((each) => {
    if (!isMark(each)) return each;
    const nameOf = (reportId: number) => `${each.body.of ?? ''}${reportId}`;
    const left = mayChange(each) ? without(each, (reportId) => named.has(nameOf(reportId))) : each;
    for (const reportId of left.body.reports) named.add(nameOf(reportId));
    return left;
  });
  const all = newestFirst.reverse();
  const isSmall = (each: Waiting) => mayChange(each) && each.body.reports.length < worthAnEntry;
  return [
    ...all.filter(({ tried }) => tried),
    ...inFewEntries(all.filter(isMark).filter(isSmall)),
    ...all.filter((each) => !each.tried && !isSmall(each)),
  ];
}

function without(mark: WaitingMark, isGone: (reportId: number) => boolean): WaitingMark {
  const { body, times } = mark;
  const isLeft = body.reports.map((reportId) => !isGone(reportId));
  if (!isLeft.includes(false)) return mark;
  const left = (numbers: readonly number[]) => numbers.filter((_, index) => isLeft[index]);
  return { ...mark, body: { ...body, reports: left(body.reports) }, ...(times && { times: left(times) }) };
}

/** @param marks none of which replaces another */
function inFewEntries(marks: readonly WaitingMark[]): Waiting[] {
  return [...Map.groupBy(marks, ({ body }) => body.of)].flatMap(([of, those]) => {
    const each = those.flatMap(({ at, times, body: { reports, state, seen } }) =>
      reports.map((reportId, index) => ({
        ...(of && { of }),
        reportId,
        state,
        ...(seen && { seen }),
        by: '',
        at: times?.[index] ?? at,
      })),
    );
    const byReport = new Map(each.sort((a, b) => a.at - b.at).map((mark) => [mark.reportId, mark]));
    const bodies = marksOf(byReport, ['open', 'reviewed', 'escalated']);
    return bodies.map((body) => ({ id: newId(), ...withTimes(body, byReport) }));
  });
}

/** Random, also where a page isn't served securely enough for `randomUUID`. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

// Marks that go along into another team's room: each keeps the time at which it was set.

const prefix = 'carried-';

export const isCarried = ({ id }: Waiting) => id.startsWith(prefix);

/**
 * What sets marks of one kind again, the oldest first. Each tab gives the same ones the same name, so that they arrive
 * once.
 */
export function carriedMarks(marks: readonly Mark[]): Waiting[] {
  const oldestFirst = marks.toSorted((one, other) => one.at - other.at);
  const byReport = new Map(oldestFirst.map((mark) => [mark.reportId, mark]));
  return marksOf(byReport).map((body) => {
    const { at, times } = withTimes(body, byReport);
    // Another tab may have sent it already: nothing is sent along with it.
    return {
      id: `${prefix}${body.of}-${body.state}-${body.seen}-${at}-${times.length}`,
      at,
      body,
      times,
      tried: true,
    };
  });
}
