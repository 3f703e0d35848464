import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { EventReportItem } from '../../../../shared/api/reports.ts';
import { readJson } from '../../../../shared/read-json.ts';
import {
  type EventReportFilter,
  type EventReportOrder,
  eventReportTotalQuery,
} from '../../../api/event-reports.ts';
import { isBefore } from '../../../api/report-order.ts';
import type { ReportSubject } from '../../../api/report-subjects.ts';
import { useServer } from '../../../console-context.ts';
import type { Grouping, Order, ReportSearch } from '../report-search.ts';

/** Reports that were looked through and are about, or by, the same. */
export type Subject = {
  key: string;
  grouping: Grouping;
  /** A report that stands for all of them. */
  example: EventReportItem;
  /** Those that were looked through. */
  reports: EventReportItem[];
  /** How the server is asked for all; nobody knows whom reports on an event without a sender are against. */
  subject: ReportSubject | undefined;
  /** The address that shows these alone. */
  only: Partial<ReportSearch> | undefined;
};

/**
 * Puts reports in groups, in an order as far as those that were looked through say. Of a list that goes on where it
 * ended before, only what has come is put in groups: there can be very many.
 */
export function grouper(grouping: Grouping, filter: EventReportFilter, order: Order) {
  let groups = new Map<string, Subject>();
  let before: readonly EventReportItem[] = [];
  return (reports: readonly EventReportItem[]): Subject[] => {
    const last = before.length - 1;
    const goesOn = reports[0] === before[0] && reports[last] === before[last];
    if (!goesOn) groups = new Map();
    const come = Map.groupBy(goesOn ? reports.slice(before.length) : reports, (report) =>
      keyOf(grouping, report),
    );
    for (const [key, some] of come) {
      const group = groups.get(key);
      const [example] = some as [EventReportItem];
      groups.set(
        key,
        group
          ? { ...group, reports: group.reports.concat(some) }
          : { key, grouping, example, reports: some, ...asked(grouping, example, filter) },
      );
    }
    before = reports;
    return inOrder([...groups.values()], order);
  };
}

export const subjectsOf = (
  reports: readonly EventReportItem[],
  grouping: Grouping,
  filter: EventReportFilter,
  order: Order,
): Subject[] => grouper(grouping, filter, order)(reports);

function inOrder(found: Subject[], order: Order): Subject[] {
  if (order === 'severity') {
    const scores = new Map(found.map((subject) => [subject, worst(subject)]));
    return found.sort((one, other) => (scores.get(one) ?? 0) - (scores.get(other) ?? 0));
  }
  // Groups stand where the first of their reports does in the order of time.
  return order === 'count' ? byTotals(found, new Map()) : found;
}

/** The most reported first, by the server's own numbers where these are known. */
export function byTotals(subjects: readonly Subject[], totals: ReadonlyMap<string, number>): Subject[] {
  const count = ({ key, reports }: Subject) => Math.max(totals.get(key) ?? 0, reports.length);
  return subjects.toSorted((one, other) => count(other) - count(one));
}

/** The same groups in their order; the reports of each stand in the order of time. */
export const inOrderOfTime = (subjects: readonly Subject[], dir: EventReportOrder): Subject[] =>
  subjects.map((subject) => ({
    ...subject,
    reports: subject.reports.toSorted((one, other) => (isBefore(dir, one, other) ? -1 : 1)),
  }));

/** Groups where they stood; those that were not among them come after these. */
function inPlaces(subjects: readonly Subject[], keys: readonly string[]): Subject[] {
  const places = new Map(keys.map((key, place) => [key, place]));
  const place = ({ key }: Subject) => places.get(key) ?? keys.length;
  return subjects.toSorted((one, other) => place(one) - place(other));
}

const worst = ({ reports }: Subject) =>
  reports.reduce((worst, { score }) => Math.min(worst, score ?? 1), Number.POSITIVE_INFINITY);

function keyOf(grouping: Grouping, { event_id, sender, room_id, user_id }: EventReportItem): string {
  switch (grouping) {
    case 'event':
      return event_id;
    case 'sender':
      return sender ?? '';
    case 'room':
      return room_id;
    case 'reporter':
      return user_id;
  }
}

function asked(
  grouping: Grouping,
  { event_id, sender, room_id, user_id }: EventReportItem,
  filter: EventReportFilter,
): Pick<Subject, 'subject' | 'only'> {
  switch (grouping) {
    case 'event':
      return sender === null
        ? { subject: undefined, only: undefined }
        : {
            subject: { filter: { ...filter, room_id, event_sender_user_id: sender }, eventId: event_id },
            only: { room: room_id, sender },
          };
    case 'sender':
      return sender === null
        ? { subject: undefined, only: undefined }
        : { subject: { filter: { ...filter, event_sender_user_id: sender } }, only: { sender } };
    case 'room':
      return { subject: { filter: { ...filter, room_id } }, only: { room: room_id } };
    case 'reporter':
      return { subject: { filter: { ...filter, user_id } }, only: { reporter: user_id } };
  }
}

type Kept = { name: string; keys: readonly string[] };

/**
 * Groups where they stand while somebody is among them, however many more come in: what is pointed at doesn't move.
 *
 * @param name names the list: another one stands in its own order
 * @param isSettled whether the order says something already: before that, groups go where they belong
 */
export function useStandingOrder(subjects: readonly Subject[] | undefined, name: string, isSettled: boolean) {
  const [isHeld, hold] = useState(false);
  const [kept, setKept] = useState<Kept>();
  const keeps = isHeld && isSettled;
  const keys = keeps && kept?.name === name ? kept.keys : undefined;
  const standing = useMemo(() => (subjects && keys ? inPlaces(subjects, keys) : subjects), [subjects, keys]);

  const latest = useRef(subjects);
  latest.current = subjects;
  const keep = useCallback(
    () => setKept({ name, keys: (latest.current ?? []).map(({ key }) => key) }),
    [name],
  );
  useEffect(() => {
    if (keeps) keep();
  }, [keeps, keep]);

  return {
    subjects: standing,
    hold,
    /** Puts them where they belong; undefined where they stand so. */
    putInOrder: standing?.some((subject, place) => subject !== subjects?.[place]) ? keep : undefined,
  };
}

/** More than a person reads through. */
const mostAsked = 40;

type Asked = { name: string; of: readonly { key: string; filter: EventReportFilter }[] };
const nobody: Asked['of'] = [];

/**
 * How many reports the server has on each of the first groups, by their keys, as soon as all are known; undefined
 * where it isn't asked. Groups by event are left out: no filter names an event. The first are those of the time when
 * it is enabled, whichever come before them later.
 *
 * @param name names the list: of another one, others are the first
 */
export function useSubjectTotals(
  subjects: readonly Subject[] | undefined,
  enabled: boolean,
  name: string,
): ReadonlyMap<string, number> | undefined {
  const server = useServer();
  const [first, setFirst] = useState<Asked>();
  if (enabled && subjects && first?.name !== name) setFirst({ name, of: firstOf(subjects) });
  const asked = enabled && first?.name === name ? first.of : nobody;
  const keys = JSON.stringify(asked.map(({ key }) => key));
  return useQueries({
    queries: asked.map(({ filter }) => eventReportTotalQuery(server, filter)),
    combine: useCallback(
      (results: UseQueryResult<{ total: number }>[]) => {
        const names: string[] = readJson(keys);
        const known = results.flatMap(({ data }, index) =>
          data ? [[names[index] as string, data.total] as const] : [],
        );
        return known.length > 0 && known.length === results.length ? new Map(known) : undefined;
      },
      [keys],
    ),
  });
}

const firstOf = (subjects: readonly Subject[]): Asked['of'] =>
  subjects
    .slice(0, mostAsked)
    .flatMap(({ key, subject }) => (subject && !subject.eventId ? [{ key, filter: subject.filter }] : []));
