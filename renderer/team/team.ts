/** What a team knows of a server together, and what its members add: the same with and without a room. */
import type { ActionEntry, Mark, Note, ReportKind, ReportState, Subject, TeamEntry } from './entries.ts';
import type { Look } from './looking.ts';
import type { RoomStatus } from './room-connection.ts';

export type Team = {
  /** The marks of reports on events that are not open. Another object when something changed. */
  marks: ReadonlyMap<number, Mark>;
  /** The same for each kind of report. */
  marksOf: Readonly<Record<ReportKind, ReadonlyMap<number, Mark>>>;
  /**
   * Whether these are all that there are; before the team's room was read, they may be none of many, and while it
   * can't be read, this person's alone.
   */
  areMarksKnown: boolean;
  /** Whether they are being read for the first time. */
  areMarksComing: boolean;
  /** @param of reports on events where it is left out */
  mark(reportIds: readonly number[], state: ReportState, of?: ReportKind, about?: readonly Subject[]): void;
  note(subject: Subject, text: string, more?: Pick<Note, 'others' | 'about' | 'escalation'>): void;
  /** Texts that are too long for the log are cut. */
  record(...actions: Omit<ActionEntry, 'by' | 'at'>[]): void;
  /** All that is known, newest first. */
  readonly entries: readonly TeamEntry[];
  /** What is known of a subject, or of several, newest first; for a report also what was done because of it. */
  timeline(...subjects: readonly Subject[]): readonly TeamEntry[];
  /**
   * The timeline of these subjects, with notes on reports and escalations of reports that are on them. What is noted on
   * other reports in a room is left out unless the room is the first of the subjects.
   *
   * @param reportIds reports on events that are on the subjects; older entries don't say it themselves
   */
  history(subjects: readonly Subject[], reportIds?: ReadonlySet<number>): readonly TeamEntry[];
  /** Notes in the team room that mention this person, newest first. */
  readonly mentions: readonly (Note & { id: string })[];
  /** The user ids of others who look at a report now. */
  lookers(look: Look): readonly string[];
  /** This person looks at this report, or at none. */
  look(look: Look): void;
  sync: TeamSync;
};

export type TeamSync = {
  /** `local`: on this machine alone. `offline` and `failed`: what is added is kept, and sent later. */
  state: 'local' | 'connecting' | 'shared' | 'offline' | 'failed';
  /** What that state comes from: the room, or why there is none. */
  room: RoomStatus;
  /** How many entries are only on this machine. */
  waiting: number;
  /** Whether some of them end with the page, as the browser has no room to keep them. */
  isLostWithPage: boolean;
  /** Whether so many marks are only on this machine that the oldest are forgotten for new ones. */
  isFull: boolean;
  /** Who administers the server, for which it may have to read all its users. @throws ConnectionFailure */
  administrators(): Promise<ReadonlySet<string>>;
  /** Creates the room and invites these users. @throws ConnectionFailure */
  makeRoom(invite: Iterable<string>): Promise<void>;
  /** Goes into the room that there is. @throws ConnectionFailure */
  joinRoom(): Promise<void>;
  /** Removes from the room who is no administrator. @throws ConnectionFailure */
  removeStrangers(): Promise<void>;
  /** Marks that don't count, since who set them is no administrator, on reports that have no other. */
  former(): readonly Mark[];
  /** Sets those marks in this person's name. */
  keepFormer(): void;
  retry(): void;
};
