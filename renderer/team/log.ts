/**
 * What is known of the room's log. Entries are only ever added, and taken back by redactions; whatever the
 * order in which both arrive, and however often, the log comes to the same.
 */
import type { Logged, Mark, ReportKind } from './entries.ts';
import {
  apart,
  applyMark,
  isFirm,
  isLater,
  type Marks,
  type MarksByKind,
  markIn,
  newestFirst,
  noMarks,
} from './fold.ts';
import type { RoomEntry } from './room-events.ts';

function foldMarks(entries: Iterable<RoomEntry>): MarksByKind {
  const marks = noMarks();
  for (const entry of entries) applyMark(marks, entry);
  return marks;
}

export type TeamLog = ReturnType<typeof teamLog>;

/** @param administrators whose entries count at first */
export function teamLog(administrators: ReadonlySet<string> = new Set()) {
  const events = new Map<string, RoomEntry>();
  const redacted = new Set<string>();
  /** The events of notes that mention someone. */
  const mentioning = new Set<string>();
  /** Of events that are the same entry, the earliest counts. */
  const firstOf = new Map<string, string>();
  let counted = administrators;
  /** Undefined until someone asks again. */
  let marks: MarksByKind | undefined;
  let revision = 0;

  function forgetMarks(): void {
    marks = undefined;
    revision++;
  }

  const counts = (entry: RoomEntry) => counted.has(entry.by) && firstOf.get(entry.key) === entry.id;

  function add(entry: RoomEntry): void {
    if (redacted.has(entry.id) || events.has(entry.id)) return;
    events.set(entry.id, entry);
    if (entry.body.type === 'note' && entry.body.mentions) mentioning.add(entry.id);
    const before = events.get(firstOf.get(entry.key) ?? '');
    if (before && isLater(entry, before)) return;
    firstOf.set(entry.key, entry.id);
    if (before) forgetMarks();
    else if (marks && markIn(entry.body) && counts(entry)) {
      applyMark(marks, entry);
      revision++;
    }
  }

  function redact(eventId: string): void {
    redacted.add(eventId);
    const entry = events.get(eventId);
    if (!entry) return;
    events.delete(eventId);
    forgetMarks();
    if (firstOf.get(entry.key) !== eventId) return;
    firstOf.delete(entry.key);
    for (const other of events.values()) {
      if (other.key !== entry.key) continue;
      const first = events.get(firstOf.get(entry.key) ?? '');
      if (!first || isLater(first, other)) firstOf.set(entry.key, other.id);
    }
  }

  return {
    add,
    redact,
    /** Whose entries count from now on: the server's administrators. */
    count(next: ReadonlySet<string>) {
      if (next.size === counted.size && [...next].every((userId) => counted.has(userId))) return;
      counted = next;
      forgetMarks();
    },
    has: (eventId: string) => events.has(eventId) || redacted.has(eventId),
    /** Whether an entry has arrived, by who sent it and the name that they gave it. */
    hasEntry: (sender: string, id: string) => firstOf.has(`${sender} ${id}`),
    get size() {
      return events.size;
    },
    /** Another number whenever marks may have changed. */
    get marksRevision() {
      return revision;
    },
    /** The last mark of each report of a kind, those that were taken back too. It changes when the log does. */
    marks(of: ReportKind = 'report'): Marks {
      marks ??= foldMarks([...events.values()].filter(counts));
      return marks[of].marks;
    },
    /** What reports without a mark would be, if those counted who don't. */
    uncounted(): Marks[] {
      const others = [...events.values()].filter(
        (entry) => !counted.has(entry.by) && firstOf.get(entry.key) === entry.id,
      );
      return Object.entries(foldMarks(others)).map(([of, { marks: all }]) => {
        const current = this.marks(of as ReportKind);
        for (const [reportId, { state }] of all) {
          if (state === 'open' || current.has(reportId)) all.delete(reportId);
        }
        return all;
      });
    },
    /** The notes that mention a user, newest first. */
    notesFor(userId: string): RoomEntry[] {
      const notes = [...mentioning].flatMap((id) => events.get(id) ?? []).filter(counts);
      return newestFirst(
        notes.filter(({ body }) => body.type === 'note' && body.mentions?.includes(userId) === true),
      );
    },
    /** All entries, whether they count or not. */
    all: () => [...events.values()],
    /** Lets all but these go. */
    keep(entries: readonly RoomEntry[]) {
      events.clear();
      firstOf.clear();
      for (const entry of entries) add(entry);
      forgetMarks();
    },
    *entries(): Generator<Logged> {
      for (const entry of events.values()) if (counts(entry)) yield entry;
    },
    clear() {
      events.clear();
      redacted.clear();
      mentioning.clear();
      firstOf.clear();
      forgetMarks();
    },
  };
}

type MarksOfReports = ReadonlyMap<number, Mark>;

/** The marks that these entries set one after the other, whatever their times are. */
export function ownMarks(added: readonly Logged[]): Record<ReportKind, MarksOfReports> {
  const marks = { report: new Map(), user_report: new Map(), room_report: new Map() } satisfies Record<
    ReportKind,
    Map<number, Mark>
  >;
  for (const logged of added) {
    if (!markIn(logged.body)) continue;
    for (const { by, at, body } of apart(logged)) {
      const set = markIn(body);
      const own: Map<number, Mark> = marks[set?.of ?? 'report'];
      for (const reportId of set?.reports ?? []) {
        const before = own.get(reportId);
        const mark: Mark = {
          reportId,
          state: set?.state ?? 'open',
          ...(set?.seen && { seen: set.seen }),
          by,
          at,
        };
        if (before?.state === 'escalated' && !isFirm(mark)) continue;
        // It follows one that ended the escalation.
        own.set(reportId, before && isFirm(before) ? { ...mark, seen: 'escalated' } : mark);
      }
    }
  }
  return marks;
}

/**
 * The marks that are not open: the log's, and over them what this person added. They can be hundreds of thousands,
 * and one of them changes at a time: none is copied, and the log's change beneath.
 */
export function shownMarks(logged: MarksOfReports, own: MarksOfReports): MarksOfReports {
  const ownOf = (reportId: number) => {
    const mark = own.get(reportId);
    return mark && (isFirm(mark) || logged.get(reportId)?.state !== 'escalated') ? mark : undefined;
  };
  const get = (reportId: number) => {
    const mark = ownOf(reportId) ?? logged.get(reportId);
    return mark?.state === 'open' ? undefined : mark;
  };
  function* values(): Generator<Mark, undefined> {
    for (const mark of logged.values()) if (mark.state !== 'open' && !ownOf(mark.reportId)) yield mark;
    for (const mark of own.values()) if (mark.state !== 'open' && ownOf(mark.reportId)) yield mark;
  }
  function* keys(): Generator<number, undefined> {
    for (const { reportId } of values()) yield reportId;
  }
  function* entries(): Generator<[number, Mark], undefined> {
    for (const mark of values()) yield [mark.reportId, mark];
  }
  let size: number | undefined;
  return {
    get size() {
      if (size === undefined) {
        size = 0;
        for (const _ of keys()) size++;
      }
      return size;
    },
    get,
    has: (reportId) => get(reportId) !== undefined,
    entries,
    keys,
    values,
    forEach(callback) {
      for (const mark of values()) callback(mark, mark.reportId, this);
    },
    [Symbol.iterator]: entries,
  };
}
