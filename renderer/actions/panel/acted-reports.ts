/** The reports that an action is based on: the shown one, or a case's. */
import { createContext } from 'react';
import type { ReportKind } from '../../../shared/team/entries.ts';
import type { Item } from '../items.ts';

export type ActedReport = {
  of: ReportKind;
  id: number;
  /** The reporter. */
  by: string;
  eventId?: string;
  /** Escalated by a moderator. */
  escalated?: boolean;
};

export type ActedReports = {
  /** The unresolved reports of the case, or the shown report. */
  reports: readonly ActedReport[];
  /** All reports of the case; undefined outside of one. */
  ofCase?: readonly ActedReport[];
};

/** Set around the actions of a report. */
export const ActedReportsContext = createContext<ActedReports | undefined>(undefined);

/** The reports that an action in a case resolves: the whole case, or the reports on the shown message. */
export type CaseScope = 'case' | 'message';

const nameOf = ({ of, id }: { of: string; id: number }) => `${of} ${id}`;

const ownOf = (items: readonly Item[]) =>
  new Set(
    items.flatMap(({ reports = [], reportKind = 'report' }) =>
      reports.map((id) => nameOf({ of: reportKind, id })),
    ),
  );

/**
 * Returns the choices of an action in a case, the default first; none if the action has no reports or the case only one.
 * Removing a message leaves the reports on others open, since they're still there.
 */
export function caseScopes(acted: ActedReports | undefined, items: readonly Item[]) {
  const own = ownOf(items);
  if (!acted?.ofCase || own.size === 0) return [];
  const events = new Set(
    acted.reports.flatMap((each) => (own.has(nameOf(each)) ? (each.eventId ?? []) : [])),
  );
  const onMessage = acted.reports.filter(
    (each) => own.has(nameOf(each)) || (each.eventId !== undefined && events.has(each.eventId)),
  );
  if (onMessage.length === 0 || acted.reports.length < 2) return [];
  const whole = { scope: 'case' as const, reports: acted.reports };
  if (onMessage.length === acted.reports.length) return [whole];
  const message = { scope: 'message' as const, reports: onMessage };
  const [first] = items;
  return first?.kind === 'event' || first?.kind === 'media' ? [message, whole] : [whole, message];
}

/** Returns the reports that led to an action on these items, as far as they're known. */
export function ownReports(acted: ActedReports | undefined, items: readonly Item[]): readonly ActedReport[] {
  const own = ownOf(items);
  return acted?.reports.filter((each) => own.has(nameOf(each))) ?? [];
}

/** Adds the other reports to the first item, which also resolves them. */
export function withCaseReports(items: readonly Item[], reports: readonly ActedReport[]): readonly Item[] {
  const own = ownOf(items);
  const others = reports.filter((each) => !own.has(nameOf(each)));
  const [first, ...rest] = items;
  if (!first || others.length === 0) return items;
  const further = [...Map.groupBy(others, ({ of }) => of)].map(([of, those]) => {
    const escalated = those.filter((each) => each.escalated).map(({ id }) => id);
    return { of, reports: those.map(({ id }) => id), ...(escalated.length > 0 && { escalated }) };
  });
  return [{ ...first, further }, ...rest];
}
