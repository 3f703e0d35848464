import type { ChangeKind, Note, Touch } from '../api/upgrade-plan.ts';
import { english, type Say } from '../sentence.ts';

/** Names of the groups, in order. */
const touchTitles: Readonly<Record<Touch, string>> = {
  configuration: /*i18n*/ 'Configuration',
  database: /*i18n*/ 'Database',
  workers: /*i18n*/ 'Workers',
  clients: /*i18n*/ 'Clients and API',
  modules: /*i18n*/ 'Modules',
  media: /*i18n*/ 'Media',
  metrics: /*i18n*/ 'Metrics and logs',
  packaging: /*i18n*/ 'Packaging and runtime',
};

/** Names of the kinds of changes. */
export const kindWords: Readonly<Record<ChangeKind, string>> = {
  removed: /*i18n*/ 'removed',
  deprecated: /*i18n*/ 'deprecated',
  'default changed': /*i18n*/ 'default changed',
  'requirement raised': /*i18n*/ 'requirement raised',
  added: /*i18n*/ 'added',
  moved: /*i18n*/ 'moved',
};

type NoteGroup = { touch: Touch; title: string; notes: Note[] };

/** Groups notes by the first area that they affect. Omits empty groups. */
export function groupByTouch(notes: readonly Note[], say: Say = english): NoteGroup[] {
  const touches = Object.keys(touchTitles) as Touch[];
  return touches
    .map((touch) => ({
      touch,
      title: say(touchTitles[touch]),
      notes: notes.filter((note) => note.touches[0] === touch),
    }))
    .filter((group) => group.notes.length > 0);
}
