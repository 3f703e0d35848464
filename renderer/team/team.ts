/** The moderation log of a server, shared in the team room or local. */

import type { Cases } from '../../shared/team/cases.ts';
import type { Conflict } from '../../shared/team/decisions.ts';
import type { DocumentsOfKind, Version } from '../../shared/team/documents.ts';
import type {
  ActionEntry,
  CaseChange,
  CaseSubject,
  LogEntry,
  Mark,
  Note,
  ReportKind,
  ReportState,
  Subject,
  TeamEntry,
  Verdict,
} from '../../shared/team/entries.ts';
import type { Role } from '../../shared/team/roles.ts';
import type { Decision, ViewedReport } from '../../shared/team/room-events.ts';
import type { RoomStatus } from './room-connection.ts';

export type Team = {
  /** The user's own role. */
  readonly role: Role;
  /** Marks of event reports other than `open`. A new object after each change. */
  marks: ReadonlyMap<number, Mark>;
  /** Marks by kind of report. */
  marksOf: Readonly<Record<ReportKind, ReadonlyMap<number, Mark>>>;
  /** Whether the marks are complete. False until the team room was read, or if it can't be read. */
  areMarksKnown: boolean;
  /** Whether marks are loading for the first time. */
  areMarksLoading: boolean;
  /**
   * @param of default: event reports
   * @param more.about subjects of all of the reports: the marks are in their history
   */
  mark(
    reportIds: readonly number[],
    state: ReportState,
    of?: ReportKind,
    more?: {
      about?: readonly Subject[] | undefined;
      verdict?: Verdict | undefined;
      policy?: string | undefined;
    },
  ): void;
  note(subject: Subject, text: string, more?: Pick<Note, 'others' | 'about' | 'escalation'>): void;
  /** Truncates long texts. */
  record(...actions: Omit<ActionEntry, 'by' | 'at'>[]): void;
  /** Returns the team's documents of a kind by key: the same object until one changes. Check the shape of each content. */
  documents(kind: string): DocumentsOfKind;
  /** Returns all versions of a kind's documents in the team room, oldest first; not the user's own unsent ones. */
  documentVersions(kind: string): readonly Version[];
  /**
   * Saves a document, or deletes it (null). Numbers in it are integers.
   *
   * @throws RangeError if it's larger than 30,000 characters of JSON
   */
  putDocument(kind: string, key: string, content: object | null): void;
  /** All entries as they were added, newest first. */
  readonly log: readonly LogEntry[];
  /** All entries, newest first. Bulk status changes are one per report. */
  readonly entries: readonly TeamEntry[];
  /** Returns entries on any of the subjects, newest first. A report's include the actions that it led to. */
  timeline(...subjects: readonly Subject[]): readonly TeamEntry[];
  /**
   * Returns the timeline of these subjects, with notes on and marks of reports on them. Those of other reports in
   * a room are included only if the room is the first subject.
   *
   * @param reportIds event reports on the subjects, for older entries that don't list subjects
   */
  history(subjects: readonly Subject[], reportIds?: ReadonlySet<number>): readonly TeamEntry[];
  /** Notes that mention the user, newest first. */
  readonly mentions: readonly (Note & { id: string })[];
  /** Returns the user IDs of colleagues who are viewing a report. */
  viewers(report: ViewedReport): readonly string[];
  /** The team's decisions about cases, by `caseKey`. The same object until they change. */
  readonly cases: Cases;
  /** Sets fields of a case; `null` clears one. */
  setCase(subject: CaseSubject, change: CaseChange): void;
  /**
   * Announces a decision before it's carried out, and returns earlier ones by others. None after five seconds, or if a
   * request fails: the decision isn't delayed. Undefined if it needs no announcement: no colleague is active, or has
   * joined if the decision is final, which means that it can't be undone.
   */
  announce(decision: Decision, isFinal?: boolean): Promise<readonly Conflict[]> | undefined;
  /** Announces the report that the user is viewing. */
  setViewing(report: ViewedReport): void;
  sync: TeamSync;
};

export type TeamSync = {
  /** `local`: on this device only. `offline` and `failed`: new entries are sent later. */
  state: 'local' | 'connecting' | 'shared' | 'offline' | 'failed';
  room: RoomStatus;
  /** Number of entries that are only on this device. */
  pending: number;
  /** Whether some of them couldn't be stored and are lost when the page closes. */
  isLostWithPage: boolean;
  /** Whether new marks replace the oldest. */
  isFull: boolean;
  /** Lists the server's admins, which can be slow. @throws ConnectionFailure */
  administrators(): Promise<ReadonlySet<string>>;
  /** Creates the room and invites these users. @throws ConnectionFailure */
  createRoom(invite: Iterable<string>): Promise<void>;
  /** @throws ConnectionFailure */
  joinRoom(): Promise<void>;
  /** Kicks members who aren't server admins. @throws ConnectionFailure */
  removeNonAdmins(): Promise<void>;
  /** Returns marks set by users who aren't admins, on reports that have no other mark. */
  ignoredMarks(): readonly Mark[];
  /** Sets those marks again as the user's own. */
  adoptIgnoredMarks(): void;
  retry(): void;
};
