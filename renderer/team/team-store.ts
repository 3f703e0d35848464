/** The team's memory of one server, for as long as the page lives. */
import type { Server } from '../transport/server.ts';
import type { ActionEntry, Mark, ReportState, Subject, TeamEntry } from './entries.ts';
import { applyMark, entriesOf, isAbout, type Marks, newestFirst } from './fold.ts';
import { markBodies, openOutbox } from './outbox.ts';

export type Team = {
  /** The marks of reports that are not open. A new map when something changed. */
  marks: ReadonlyMap<number, Mark>;
  mark(reportIds: readonly number[], state: ReportState): void;
  note(subject: Subject, text: string): void;
  record(action: Omit<ActionEntry, 'by' | 'at'>): void;
  /** All that is known, newest first. */
  entries: readonly TeamEntry[];
  /** What is known of a subject, newest first; for a report also what was done because of it. */
  timeline(subject: Subject): readonly TeamEntry[];
  /** The user ids of others who look at a report now. */
  lookers(reportId: number): readonly string[];
  /** This person looks at this report, or at none. */
  look(reportId: number | undefined): void;
  sync: TeamSync;
};

export type TeamSync = { state: 'local' };

export type TeamStore = ReturnType<typeof openTeam>;

const opened = new Map<string, TeamStore>();

export function teamOf(server: Server): TeamStore {
  let team = opened.get(server.id);
  if (!team) {
    team = openTeam(server);
    opened.set(server.id, team);
  }
  return team;
}

const nobody: readonly string[] = [];

function openTeam(server: Server) {
  const outbox = openOutbox(server.id);
  let shown: { of: unknown; team: Team } | undefined;

  function fold(): Team {
    const by = server.connection.userId;
    const log = newestFirst(outbox.read().map((waiting) => ({ ...waiting, by })));
    const all: Marks = new Map();
    for (const entry of log) applyMark(all, entry);
    const marks = new Map([...all].filter(([, { state }]) => state !== 'open'));
    const entries = log.flatMap(entriesOf);
    return {
      marks,
      mark: (reportIds, state) => outbox.add(markBodies(reportIds, state)),
      note: (subject, text) => outbox.add([{ type: 'note', subject, text }]),
      record: (action) => outbox.add([{ type: 'action', ...action }]),
      entries,
      timeline: (subject) => entries.filter((entry) => isAbout(subject, entry)),
      lookers: () => nobody,
      look: () => {},
      sync: { state: 'local' },
    };
  }

  return {
    subscribe: outbox.subscribe,
    snapshot(): Team {
      const of = outbox.read();
      if (shown?.of !== of) shown = { of, team: fold() };
      return shown.team;
    },
  };
}
