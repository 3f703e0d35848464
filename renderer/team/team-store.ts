import type { Server } from '../transport/server.ts';
import { truncate } from '../words/clip.ts';
import {
  type Body,
  type Logged,
  longestNote,
  longestReason,
  type Mark,
  type ReportKind,
  reportKinds,
  type Subject,
  type TeamEntry,
} from './entries.ts';
import { apart, entriesOf, isAbout, isOnReportAbout, newestFirst, reportNamed } from './fold.ts';
import { ownMarks, shownMarks, teamLog } from './log.ts';
import { lookingFrom } from './looking.ts';
import { readMentions } from './mentions.ts';
import { noteDrafts } from './note-drafts.ts';
import { markBodies, marksOf, openOutbox, type Waiting } from './outbox.ts';
import { forgetRoom } from './room-cache.ts';
import type { RoomConnection, RoomStatus } from './room-connection.ts';
import { connectRoom } from './room-connection.ts';
import type { RoomEntry } from './room-events.ts';
import type { Team } from './team.ts';

export type TeamStore = ReturnType<typeof openTeam>;

export const teamOf = (server: Server): TeamStore => server.state(openTeam);

/** Removes what was read of the team's room from this device, after signing out. */
export function forgetTeam(server: Server): void {
  noteDrafts(server).clear();
  readMentions(server).write([]);
  forgetRoom(server.id);
}

const noReports: ReadonlySet<number> = new Set();

/** Going from one screen to the next is no reason to leave. */
const closeAfterMs = 10_000;

const putBackMs = 2_000;

const syncStates = {
  looking: 'connecting',
  absent: 'local',
  offered: 'local',
  impossible: 'local',
  open: 'shared',
  offline: 'offline',
  failed: 'failed',
} as const;

function openTeam(server: Server) {
  const me = server.connection.userId;
  const outbox = openOutbox(server);
  const log = teamLog();
  const looking = lookingFrom(changed);
  /** Entries that the server has and that have not come back from it yet. */
  const sent = new Map<string, Waiting>();
  const listeners = new Set<() => void>();
  const newsListeners = new Set<(entries: readonly RoomEntry[]) => void>();
  let status: RoomStatus = { is: 'looking' };
  let connection: Promise<RoomConnection> | undefined;
  let closing: ReturnType<typeof setTimeout> | undefined;
  let puttingBack: ReturnType<typeof setInterval> | undefined;
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
      looking,
      onChange: changed,
      onStatus(next) {
        status = next;
        changed();
      },
      onSent: (waiting) => sent.set(waiting.id, waiting),
      onNews(entries) {
        for (const listener of newsListeners) listener(entries);
      },
    });
  };
  const connected = () => {
    connection ??= connect();
    return connection;
  };

  /** What this person added and the log doesn't hold yet. It holds until it does, whatever else the log says. */
  function own(): Logged[] {
    for (const id of sent.keys()) if (log.hasEntry(me, id)) sent.delete(id);
    const waiting = outbox.read().filter(({ id }) => !log.hasEntry(me, id) && !sent.has(id));
    return [...sent.values(), ...waiting].map((added) => ({ ...added, by: me }));
  }

  const lastMarks = new Map<
    ReportKind,
    { revision: number; own: ReadonlyMap<number, Mark>; marks: Team['marks'] }
  >();

  /** The same object again where nothing changed, so that what shows marks is not drawn anew for a note. */
  function marksWith(own: ReadonlyMap<number, Mark>, of: ReportKind): Team['marks'] {
    const last = lastMarks.get(of);
    const revision = log.marksRevision;
    if (last?.revision === revision && areSame(last.own, own)) return last.marks;
    const marks = shownMarks(log.marks(of), own);
    lastMarks.set(of, { revision, own, marks });
    return marks;
  }

  /** What an earlier session kept of the room is as good as what was known then. */
  let hadKept = false;
  /** All that the team knew was here once, or it was known that there is no team. */
  let hadAll = false;
  const areMarksComing = () =>
    !hadKept && (status.is === 'looking' || (status.is === 'open' && !status.complete));
  function areMarksKnown(): boolean {
    if (status.is === 'looking') hadKept ||= log.size > 0;
    if (areMarksComing()) return false;
    if (status.is === 'offline' || status.is === 'failed') return hadKept || hadAll;
    hadAll = true;
    return true;
  }

  const add = (bodies: readonly Body[]) => outbox.add(bodies);

  function show(): Team {
    const added = own();
    const ownOfKinds = ownMarks(added);
    const marksOfKinds = Object.fromEntries(
      reportKinds.map((of) => [of, marksWith(ownOfKinds[of], of)]),
    ) as Team['marksOf'];
    const all = function* () {
      yield* log.entries();
      yield* added;
    };
    let entries: readonly TeamEntry[] | undefined;
    let mentions: Team['mentions'] | undefined;
    return {
      marks: marksOfKinds.report,
      marksOf: marksOfKinds,
      areMarksKnown: areMarksKnown(),
      areMarksComing: areMarksComing(),
      mark(reportIds, state, of = 'report', about) {
        const seen = Map.groupBy(reportIds, (id) => marksOfKinds[of].get(id)?.state ?? 'open');
        const on = reportIds.length === 1 ? about : undefined;
        add([...seen].flatMap(([before, ids]) => markBodies(ids, state, of, before, on)));
      },
      note: (subject, text, more) => add([{ type: 'note', subject, text: cut(text, longestNote), ...more }]),
      record: (...actions) =>
        add(
          actions.map(({ reason, detail, ...action }) => ({
            type: 'action',
            ...action,
            ...(reason !== undefined && { reason: cut(reason, longestReason) }),
            ...(detail !== undefined && { detail: cut(detail, longestReason) }),
          })),
        ),
      get entries() {
        entries ??= newestFirst([...all()].flatMap(apart)).flatMap((logged) => entriesOf(logged));
        return entries;
      },
      timeline: (...subjects) => {
        const whose = ({ body }: Logged) => subjects.find((subject) => isAbout(subject, body));
        const about = [...all()].filter(whose).flatMap(apart).filter(whose);
        return newestFirst(about).flatMap((logged) => entriesOf(logged, whose(logged)));
      },
      history: (subjects, reportIds = noReports) => {
        const [main] = subjects;
        const found = [...all()].flatMap((logged): [Logged, Subject | undefined][] => {
          const { body } = logged;
          const subject = subjects.find((each) => isAbout(each, body));
          if (subject) return [[logged, subject]];
          const isOn = (each: Subject) =>
            (each.kind !== 'room' || each === main) && isOnReportAbout(each, body);
          if (subjects.some(isOn)) return [[logged, undefined]];
          const id = reportNamed(reportIds, body);
          return id === undefined ? [] : [[logged, { kind: 'report', id }]];
        });
        const whose = new Map(
          found.flatMap(([logged, subject]) =>
            apart(logged)
              .filter(({ body }) => !subject || isAbout(subject, body))
              .map((each) => [each, subject]),
          ),
        );
        return newestFirst(whose.keys()).flatMap((logged) => entriesOf(logged, whose.get(logged)));
      },
      get mentions() {
        mentions ??= log
          .notesFor(me)
          .flatMap(({ id, by, at, body }) =>
            body.type === 'note' && by !== me ? [{ ...body, id, by, at }] : [],
          );
        return mentions;
      },
      lookers: looking.at,
      look: looking.look,
      sync: {
        state: syncStates[status.is],
        room: status,
        waiting: outbox.read().length,
        isLostWithPage: outbox.isLostWithPage(),
        isFull: outbox.isFull(),
        administrators: async () => (await connected()).administrators(),
        makeRoom: async (invite) => (await connected()).make(invite),
        joinRoom: async () => (await connected()).join(),
        removeStrangers: async () => (await connected()).removeStrangers(),
        former: () =>
          log
            .uncounted()
            .flatMap((marks) => [...marks.values()])
            .filter(({ of = 'report', reportId }) => !marksOfKinds[of].has(reportId)),
        keepFormer: () => add(log.uncounted().flatMap((marks) => marksOf(marks))),
        retry: async () => (await connected()).retry(),
      },
    };
  }

  const putBack = () => outbox.putBack((id) => log.hasEntry(me, id) || sent.has(id));

  async function leaveRoom() {
    clearInterval(puttingBack);
    puttingBack = undefined;
    const open = connection;
    connection = undefined;
    status = { is: 'looking' };
    (await open)?.close();
  }

  return {
    close() {
      clearTimeout(closing);
      outbox.close();
      void leaveRoom();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      clearTimeout(closing);
      puttingBack ??= setInterval(putBack, putBackMs);
      void connected();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        closing = setTimeout(leaveRoom, closeAfterMs);
      };
    },
    /** Calls back with colleagues' new entries, while the snapshot is still without them. Returns an unsubscribe. */
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

/** Half a character can't be sent, wherever it comes from. */
const cut = (text: string, length: number) => truncate(text, length).toWellFormed();
