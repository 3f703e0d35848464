import { type Static, Type } from 'typebox';
import { reportKinds } from '../../../../shared/team/entries.ts';
import { type SearchReader, searchOf } from '../../../search.ts';
import { scripts } from './script.ts';

export const caseQueues = [
  'open',
  'mine',
  'unassigned',
  'escalated',
  'waiting',
  'resolved',
  'appeals',
] as const;
export type CaseQueue = (typeof caseQueues)[number];

export const caseOrders = ['urgent', 'newest', 'oldest'] as const;
export type CaseOrder = (typeof caseOrders)[number];

/** Kinds of subjects. */
export const caseKinds = ['user', 'room', 'event'] as const;

/** Minimum severities; cases without one are between low and medium. */
export const minimumSeverities = ['medium', 'high', 'urgent'] as const;

const filters = {
  /** Words in names, IDs and reasons. */
  text: Type.Optional(Type.String({ minLength: 1 })),
  /** IDs of rooms of the reported messages, or reported rooms. */
  rooms: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }))),
  kind: Type.Optional(Type.Enum([...caseKinds])),
  severity: Type.Optional(Type.Enum([...minimumSeverities])),
  /** Script of the reported message, else of the reason. */
  script: Type.Optional(Type.Enum([...scripts])),
  /** Key of the rule that set the severity. */
  rule: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
};
const CaseFilters = Type.Object(filters);
export type CaseFilters = Static<typeof CaseFilters>;
export const readCaseFilters: SearchReader<CaseFilters> = searchOf(CaseFilters);
export const filterNames = Object.keys(filters) as (keyof CaseFilters)[];
/** A saved view of cases that the team uses as a queue. */
export type TeamQueue = {
  /** Key of the saved view. */
  key: string;
  name: string;
  filters: CaseFilters;
  /** User IDs. */
  people: readonly string[];
  targetMs: number | undefined;
};

export const hasFilters = (search: CaseFilters): boolean =>
  filterNames.some((name) => search[name] !== undefined);

/** Search parameters of the cases screen. */
const CaseSearch = Type.Object({
  /** Default: open. */
  queue: Type.Optional(Type.Enum([...caseQueues])),
  /** Key of a team's queue, in place of `queue`. */
  view: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  ...filters,
  /** Default: urgent first; in a team's queue oldest first. */
  order: Type.Optional(Type.Enum([...caseOrders])),
  /** The open case, as `caseKey` names it. */
  case: Type.Optional(Type.String({ minLength: 1 })),
  /** Its report that is shown, like `user_report 3`; default: the first. */
  report: Type.Optional(Type.String({ pattern: `^(${reportKinds.join('|')}) [0-9]+$` })),
});
export type CaseSearch = Static<typeof CaseSearch>;
export const readCaseSearch: SearchReader<CaseSearch> = searchOf(CaseSearch);
