import type { Note, Touch } from '../api/upgrade-plan.ts';

/** How the groups are called, in the order in which they are read. */
export const touchTitles: Readonly<Record<Touch, string>> = {
  configuration: 'Configuration',
  database: 'Database',
  workers: 'Workers',
  clients: 'Clients and API',
  modules: 'Modules',
  media: 'Media',
  metrics: 'Metrics and logs',
  packaging: 'Packaging and runtime',
};

export type NoteGroup = { touch: Touch; title: string; notes: Note[] };

/** Notes by what they touch first; a note is in one group only, and groups without notes are left out. */
export function groupByTouch(notes: readonly Note[]): NoteGroup[] {
  const touches = Object.keys(touchTitles) as Touch[];
  return touches
    .map((touch) => ({
      touch,
      title: touchTitles[touch],
      notes: notes.filter((note) => note.touches[0] === touch),
    }))
    .filter((group) => group.notes.length > 0);
}
