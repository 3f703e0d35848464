/** The team room's log. Entries and redactions can arrive in any order and more than once. */
import { type Documents, foldDocuments, isDocument, type Version } from './documents.ts';
import type { LogEntry, Mark, ReportKind } from './entries.ts';
import {
  applyMark,
  emptyMarks,
  isLater,
  type Marks,
  type MarksByKind,
  markedAs,
  markSetBy,
  newestFirst,
  overridesEscalation,
  splitByReport,
} from './fold.ts';
import type { RoomEntry } from './room-events.ts';

function foldMarks(entries: Iterable<RoomEntry>): MarksByKind {
  const marks = emptyMarks();
  for (const entry of entries) applyMark(marks, entry);
  return marks;
}

export type TeamLog = ReturnType<typeof teamLog>;

/** @param administrators users whose entries count at first */
export function teamLog(administrators: ReadonlySet<string> = new Set()) {
  const events = new Map<string, RoomEntry>();
  const redacted = new Set<string>();
  /** Events of notes with mentions. */
  const mentionIds = new Set<string>();
  /** Events of decisions about cases. */
  const caseIds = new Set<string>();
  const documentIds = new Set<string>();
  /** The earliest event of each entry: only that one counts. */
  const firstByKey = new Map<string, string>();
  let trusted = administrators;
  /** Computed lazily. */
  let marks: MarksByKind | undefined;
  let documents: Documents | undefined;
  let revision = 0;

  function invalidate(): void {
    marks = undefined;
    documents = undefined;
    revision++;
  }

  const documentEntries = (): RoomEntry[] =>
    [...documentIds].flatMap((id) => events.get(id) ?? []).filter(counts);
  const counts = (entry: RoomEntry) => trusted.has(entry.by) && firstByKey.get(entry.key) === entry.id;

  function add(entry: RoomEntry): void {
    if (redacted.has(entry.id) || events.has(entry.id)) return;
    events.set(entry.id, entry);
    if (entry.body.type === 'note' && entry.body.mentions) mentionIds.add(entry.id);
    if (entry.body.type === 'case') caseIds.add(entry.id);
    if (entry.body.type === 'document') {
      documentIds.add(entry.id);
      documents = undefined;
    }
    const first = events.get(firstByKey.get(entry.key) ?? '');
    if (first && isLater(entry, first)) return;
    firstByKey.set(entry.key, entry.id);
    if (first) invalidate();
    else if (marks && markSetBy(entry.body) && counts(entry)) {
      applyMark(marks, entry);
      revision++;
    }
  }

  function redact(eventId: string): void {
    redacted.add(eventId);
    const entry = events.get(eventId);
    if (!entry) return;
    events.delete(eventId);
    invalidate();
    if (firstByKey.get(entry.key) !== eventId) return;
    firstByKey.delete(entry.key);
    for (const other of events.values()) {
      if (other.key !== entry.key) continue;
      const first = events.get(firstByKey.get(entry.key) ?? '');
      if (!first || isLater(first, other)) firstByKey.set(entry.key, other.id);
    }
  }

  return {
    add,
    redact,
    /** Sets the users whose entries count: the server's admins. */
    setTrusted(next: ReadonlySet<string>) {
      if (next.size === trusted.size && [...next].every((userId) => trusted.has(userId))) return;
      trusted = next;
      invalidate();
    },
    has: (eventId: string) => events.has(eventId) || redacted.has(eventId),
    /** Whether an entry has arrived. `id` is the one chosen by its sender. */
    hasEntry: (sender: string, id: string) => firstByKey.has(`${sender} ${id}`),
    get size() {
      return events.size;
    },
    /** Changes whenever marks may have changed. */
    get marksRevision() {
      return revision;
    },
    /** Marks by report ID, including `open`. The map is updated in place. */
    marks(of: ReportKind = 'report'): Marks {
      marks ??= foldMarks([...events.values()].filter(counts));
      return marks[of].marks;
    },
    /** Returns marks by users whose entries don't count, on reports that have no other mark. */
    untrustedMarks(): Marks[] {
      const others = [...events.values()].filter(
        (entry) => !trusted.has(entry.by) && firstByKey.get(entry.key) === entry.id,
      );
      return Object.entries(foldMarks(others)).map(([of, { marks: all }]) => {
        const current = this.marks(of as ReportKind);
        for (const [reportId, { state }] of all) {
          if (state === 'open' || current.has(reportId)) all.delete(reportId);
        }
        return all;
      });
    },
    /** Returns the current documents; the same object until one changes. */
    documents(): Documents {
      documents ??= foldDocuments(documentEntries());
      return documents;
    },
    /** Returns all versions of a kind's documents, oldest first. */
    documentVersions: (kind: string): Version[] =>
      documentEntries()
        .filter(isDocument)
        .filter(({ body }) => body.kind === kind)
        .sort((a, b) => (isLater(a, b) ? 1 : -1)),
    /** Returns the notes that mention a user, newest first. */
    notesFor(userId: string): RoomEntry[] {
      const notes = [...mentionIds].flatMap((id) => events.get(id) ?? []).filter(counts);
      return newestFirst(
        notes.filter(({ body }) => body.type === 'note' && body.mentions?.includes(userId) === true),
      );
    },
    /** Returns decisions about cases, in any order. */
    caseEntries: (): RoomEntry[] => [...caseIds].flatMap((id) => events.get(id) ?? []).filter(counts),
    /** Returns all entries, whether they count or not. */
    all: () => [...events.values()],
    /** Drops all other entries. */
    retain(entries: readonly RoomEntry[]) {
      events.clear();
      firstByKey.clear();
      for (const entry of entries) add(entry);
      invalidate();
    },
    *entries(): Generator<LogEntry> {
      for (const entry of events.values()) if (counts(entry)) yield entry;
    },
    clear() {
      events.clear();
      redacted.clear();
      mentionIds.clear();
      caseIds.clear();
      documentIds.clear();
      firstByKey.clear();
      invalidate();
    },
  };
}

type MarksOfReports = ReadonlyMap<number, Mark>;

/** Returns the marks that the user's own entries set, in their order of adding rather than by time. */
export function ownMarks(added: readonly LogEntry[]): Record<ReportKind, MarksOfReports> {
  const marks = { report: new Map(), user_report: new Map(), room_report: new Map() } satisfies Record<
    ReportKind,
    Map<number, Mark>
  >;
  for (const logged of added) {
    if (!markSetBy(logged.body)) continue;
    for (const { by, at, body } of splitByReport(logged)) {
      const set = markSetBy(body);
      const own: Map<number, Mark> = marks[set?.of ?? 'report'];
      if (!set) continue;
      for (const reportId of set.reports) {
        const before = own.get(reportId);
        const { of: _of, ...as } = markedAs(set);
        const mark: Mark = { ...as, reportId, by, at };
        if (before?.state === 'escalated' && !overridesEscalation(mark)) continue;
        // The mark before it ended the escalation.
        own.set(reportId, before && overridesEscalation(before) ? { ...mark, seen: 'escalated' } : mark);
      }
    }
  }
  return marks;
}

/**
 * Returns a live view of the marks other than `open`: the user's own over the log's. Copying hundreds of thousands for
 * each change would be slow.
 */
export function shownMarks(logged: MarksOfReports, own: MarksOfReports): MarksOfReports {
  const ownOf = (reportId: number) => {
    const mark = own.get(reportId);
    return mark && (overridesEscalation(mark) || logged.get(reportId)?.state !== 'escalated')
      ? mark
      : undefined;
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
