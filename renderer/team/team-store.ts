import { type Cases, foldCases } from '../../shared/team/cases.ts';
import { isDocument, stableDocuments, storable } from '../../shared/team/documents.ts';
import {
  type Body,
  type LogEntry,
  type Mark,
  maxNoteLength,
  maxReasonLength,
  type ReportKind,
  reportKinds,
  type Subject,
  type TeamEntry,
} from '../../shared/team/entries.ts';
import {
  entriesOf,
  findNamedReport,
  isAbout,
  isOnRelatedReport,
  newestFirst,
  splitByReport,
  timelineOf,
  wholeEntryOf,
} from '../../shared/team/fold.ts';
import { ownMarks, shownMarks, teamLog } from '../../shared/team/log.ts';
import { roleOf, rolesIn, rolesKind } from '../../shared/team/roles.ts';
import type { RoomEntry } from '../../shared/team/room-events.ts';
import { moderatorsOf } from '../../shared/team/room-trust.ts';
import { newId } from '../new-id.ts';
import type { Server } from '../transport/server.ts';
import { truncate } from '../words/clip.ts';
import { announceDecision } from './announce-decision.ts';
import { readMentions } from './mentions.ts';
import { noteDrafts } from './note-drafts.ts';
import { markBodies, markBodiesFrom, type OutboxEntry, openOutbox } from './outbox.ts';
import { createPresence } from './presence.ts';
import { deleteRoomCache } from './room-cache.ts';
import type { RoomConnection, RoomStatus } from './room-connection.ts';
import { connectRoom } from './room-connection.ts';
import type { Team } from './team.ts';

type TeamStore = ReturnType<typeof openTeam>;

export const teamOf = (server: Server): TeamStore => server.state(openTeam);

/** Deletes drafts, read mentions and the room cache from this device after signing out. */
export function deleteTeamData(server: Server): void {
  noteDrafts(server).clear();
  readMentions(server).write([]);
  deleteRoomCache(server.id);
}

const noReports: ReadonlySet<number> = new Set();

/** Stays connected between screens. */
const closeAfterMs = 10_000;

const restoreIntervalMs = 2_000;

const syncStates = {
  connecting: 'connecting',
  absent: 'local',
  offered: 'local',
  unsupported: 'local',
  open: 'shared',
  offline: 'offline',
  failed: 'failed',
} as const;

function openTeam(server: Server) {
  const me = server.connection.userId;
  const outbox = openOutbox(server);
  const log = teamLog();
  const presence = createPresence(changed);
  /** Entries that the server received and that haven't arrived from the room yet. */
  const sent = new Map<string, OutboxEntry>();
  const listeners = new Set<() => void>();
  const newsListeners = new Set<(entries: readonly RoomEntry[]) => void>();
  /** Events with colleagues' decisions that the user has been shown. */
  const notified = new Set<string>();
  let status: RoomStatus = { is: 'connecting' };
  let connection: Promise<RoomConnection> | undefined;
  let closeTimer: ReturnType<typeof setTimeout> | undefined;
  let restoreTimer: ReturnType<typeof setInterval> | undefined;
  let shown: Team | undefined;

  function changed() {
    shown = undefined;
    for (const listener of listeners) listener();
  }
  outbox.subscribe(changed);

  const connect = async (): Promise<RoomConnection> => {
    return connectRoom(server, {
      log,
      outbox,
      presence,
      onChange: changed,
      onRestored() {
        hadCache ||= log.size > 0;
        changed();
      },
      onStatus(next) {
        status = next;
        changed();
      },
      onSent: (waiting) => sent.set(waiting.id, waiting),
      onNews(entries) {
        const fresh = entries.filter(({ id }) => !log.has(id));
        for (const listener of newsListeners) listener(fresh);
      },
    });
  };
  const ensureConnected = () => {
    connection ??= connect();
    return connection;
  };

  /** Returns the user's own entries that aren't in the log yet. */
  function unacknowledged(): LogEntry[] {
    for (const id of sent.keys()) if (log.hasEntry(me, id)) sent.delete(id);
    const waiting = outbox.read().filter(({ id }) => !log.hasEntry(me, id) && !sent.has(id));
    return [...sent.values(), ...waiting].map((added) => ({ ...added, by: me }));
  }

  const lastMarks = new Map<
    ReportKind,
    { revision: number; own: ReadonlyMap<number, Mark>; marks: Team['marks'] }
  >();

  /** Keeps marks referentially stable, so that a note doesn't render them again. */
  function marksWith(own: ReadonlyMap<number, Mark>, of: ReportKind): Team['marks'] {
    const last = lastMarks.get(of);
    const revision = log.marksRevision;
    if (last?.revision === revision && areSame(last.own, own)) return last.marks;
    const marks = shownMarks(log.marks(of), own);
    lastMarks.set(of, { revision, own, marks });
    return marks;
  }

  let lastCases: { ids: string; cases: Cases } | undefined;

  /** Keeps decisions about cases referentially stable, so that other entries don't render them again. */
  function casesWith(added: readonly LogEntry[]): Cases {
    const logged = log.caseEntries();
    const own = added.filter(({ body }) => body.type === 'case');
    const ids = [...logged, ...own].map(({ id }) => id).join(' ');
    if (lastCases?.ids !== ids) lastCases = { ids, cases: foldCases(logged, own) };
    return lastCases.cases;
  }

  let lastLog: { revision: string; added: readonly LogEntry[]; entries: readonly LogEntry[] } | undefined;

  /** Keeps the log referentially stable, so that it isn't sorted and shown again for each sign of presence. */
  function logWith(added: readonly LogEntry[]): readonly LogEntry[] {
    const revision = `${log.size} ${log.marksRevision}`;
    const isSame =
      lastLog?.revision === revision &&
      lastLog.added.length === added.length &&
      lastLog.added.every(({ body }, index) => body === added[index]?.body);
    if (!lastLog || !isSame)
      lastLog = { revision, added, entries: newestFirst([...log.entries(), ...added]) };
    return lastLog.entries;
  }

  const documentsWith = stableDocuments();

  let hadCache = false;
  /** The room was read to its beginning once, or there was none. */
  let wasComplete = false;
  const areMarksLoading = () =>
    !hadCache && (status.is === 'connecting' || (status.is === 'open' && !status.complete));
  function areMarksKnown(): boolean {
    if (areMarksLoading()) return false;
    if (status.is === 'offline' || status.is === 'failed') return hadCache || wasComplete;
    wasComplete = true;
    return true;
  }

  const add = (bodies: readonly Body[]) => outbox.add(bodies);

  function show(): Team {
    const added = unacknowledged();
    const ownOfKinds = ownMarks(added);
    const marksOfKinds = Object.fromEntries(
      reportKinds.map((of) => [of, marksWith(ownOfKinds[of], of)]),
    ) as Team['marksOf'];
    const all = function* () {
      yield* log.entries();
      yield* added;
    };
    let entries: readonly TeamEntry[] | undefined;
    let cases: Cases | undefined;
    let mentions: Team['mentions'] | undefined;
    const documents = (kind: string) => documentsWith(kind, log.documents(), added.filter(isDocument));
    return {
      get role() {
        const moderators = status.is === 'open' ? moderatorsOf(status.room) : undefined;
        return roleOf(me, rolesIn(documents(rolesKind)), moderators);
      },
      marks: marksOfKinds.report,
      marksOf: marksOfKinds,
      areMarksKnown: areMarksKnown(),
      areMarksLoading: areMarksLoading(),
      mark(reportIds, state, of = 'report', { about, verdict, policy } = {}) {
        const bySeen = Map.groupBy(reportIds, (id) => marksOfKinds[of].get(id)?.state ?? 'open');
        add(
          [...bySeen].flatMap(([seen, ids]) =>
            markBodies(
              ids,
              { of, state, seen, ...(verdict && { verdict }), ...(policy && { policy }) },
              about,
            ),
          ),
        );
      },
      note: (subject, text, more) =>
        add([{ type: 'note', subject, text: cut(text, maxNoteLength), ...more }]),
      record: (...actions) =>
        add(
          actions.map(({ reason, detail, ...action }) => ({
            type: 'action',
            ...action,
            ...(reason !== undefined && { reason: cut(reason, maxReasonLength) }),
            ...(detail !== undefined && { detail: cut(detail, maxReasonLength) }),
          })),
        ),
      documents,
      documentVersions: log.documentVersions,
      putDocument: (kind, key, content) =>
        add([{ type: 'document', kind, key, content: content && storable(content) }]),
      get entries() {
        entries ??= newestFirst([...all()].flatMap(splitByReport)).flatMap((logged) => entriesOf(logged));
        return entries;
      },
      get log() {
        return logWith(added);
      },
      timeline: (...subjects) => timelineOf(all(), ...subjects),
      history: (subjects, reportIds = noReports) => {
        const [main] = subjects;
        const found = [...all()].flatMap((logged): [LogEntry, Subject | undefined][] => {
          const { body } = logged;
          const subject = subjects.find((each) => isAbout(each, body));
          if (subject) return [[logged, subject]];
          const isOn = (each: Subject) =>
            (each.kind !== 'room' || each === main) && isOnRelatedReport(each, body);
          if (subjects.some(isOn)) return [[logged, undefined]];
          const id = findNamedReport(reportIds, body);
          return id === undefined ? [] : [[logged, { kind: 'report', id }]];
        });
        const whose = new Map(
          found.flatMap(([logged, subject]) =>
            splitByReport(logged)
              .filter(({ body }) => !subject || isAbout(subject, body))
              .map((each) => [each, subject]),
          ),
        );
        return newestFirst(whose.keys()).flatMap((logged) => {
          const subject = whose.get(logged);
          return subject ? entriesOf(logged, subject) : wholeEntryOf(logged);
        });
      },
      get mentions() {
        mentions ??= log
          .notesFor(me)
          .flatMap(({ id, by, at, body }) =>
            body.type === 'note' && by !== me ? [{ ...body, id, by, at }] : [],
          );
        return mentions;
      },
      get cases() {
        cases ??= casesWith(added);
        return cases;
      },
      setCase: (subject, change) => add([{ type: 'case', subject, ...change }]),
      announce(decision, isFinal = false) {
        if (status.is !== 'open' || decision.subjects.length === 0) return undefined;
        const { room } = status;
        const isColleague = ([userId, membership]: [string, string]) =>
          membership === 'join' && userId !== me && room.administrators.has(userId);
        if (!presence.isColleagueActive() && !(isFinal && [...room.memberships].some(isColleague)))
          return undefined;
        return (async () => {
          const unseen = new Set<string>();
          const note = (entries: readonly RoomEntry[]) => {
            for (const { id } of entries) unseen.add(id);
          };
          newsListeners.add(note);
          const conflicts = await announceDecision(server, room, {
            decision,
            viewing: presence.viewing(),
            transactionId: `decide-${newId()}`,
            isKnown: (eventId) => notified.has(eventId) || (log.has(eventId) && !unseen.has(eventId)),
          }).finally(() => newsListeners.delete(note));
          for (const { eventId } of conflicts) notified.add(eventId);
          return conflicts;
        })();
      },
      viewers: presence.viewersOf,
      setViewing: presence.setViewing,
      sync: {
        state: syncStates[status.is],
        room: status,
        pending: outbox.read().length,
        isLostWithPage: outbox.isLostWithPage(),
        isFull: outbox.isFull(),
        administrators: async () => (await ensureConnected()).administrators(),
        createRoom: async (invite) => (await ensureConnected()).create(invite),
        joinRoom: async () => (await ensureConnected()).join(),
        removeNonAdmins: async () => (await ensureConnected()).removeNonAdmins(),
        ignoredMarks: () =>
          log
            .untrustedMarks()
            .flatMap((marks) => [...marks.values()])
            .filter(({ of = 'report', reportId }) => !marksOfKinds[of].has(reportId)),
        adoptIgnoredMarks: () => add(log.untrustedMarks().flatMap((marks) => markBodiesFrom(marks))),
        retry: async () => (await ensureConnected()).retry(),
      },
    };
  }

  const restoreDropped = () => outbox.restoreDropped((id) => log.hasEntry(me, id) || sent.has(id));

  async function leaveRoom() {
    clearInterval(restoreTimer);
    restoreTimer = undefined;
    const open = connection;
    connection = undefined;
    hadCache ||= log.size > 0;
    status = { is: 'connecting' };
    (await open)?.close();
  }

  return {
    close() {
      clearTimeout(closeTimer);
      outbox.close();
      void leaveRoom();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      clearTimeout(closeTimer);
      restoreTimer ??= setInterval(restoreDropped, restoreIntervalMs);
      void ensureConnected();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        closeTimer = setTimeout(leaveRoom, closeAfterMs);
      };
    },
    /** Calls back with colleagues' new entries, before the snapshot has them. Returns an unsubscribe function. */
    onNews(listener: (entries: readonly RoomEntry[]) => void) {
      newsListeners.add(listener);
      return () => void newsListeners.delete(listener);
    },
    snapshot(): Team {
      shown ??= show();
      return shown;
    },
  };
}

function areSame(some: ReadonlyMap<number, Mark>, others: ReadonlyMap<number, Mark>): boolean {
  if (some.size !== others.size) return false;
  for (const [reportId, { state, at }] of some) {
    const other = others.get(reportId);
    if (other?.state !== state || other.at !== at) return false;
  }
  return true;
}

/** JSON can't contain half a surrogate pair. */
const cut = (text: string, length: number) => truncate(text, length).toWellFormed();
