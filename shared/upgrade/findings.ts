/** What of a configuration the changes between two versions concern. */
import type { Finding } from '../api/upgrade-plan.ts';
import type { Dialect } from '../dialect.ts';
import { changes, type DatedNote, spell } from './changes/changes.ts';
import { type Configuration, findSetting, type Place } from './configuration.ts';
import { defaultRules, type Rule, rules } from './configuration-rules.ts';
import { compareVersions, releaseOf, type Version } from './version.ts';

const notesById = new Map(changes.map((dated) => [dated.note.id, dated]));

export type Findings = {
  /** What has to be written differently. */
  required: Finding[];
  /** Places that a note is about, where nothing may have to change. */
  hints: Finding[];
};

/**
 * Looks a configuration through. What an older release than the running one asked for is found, too, and
 * marked as overdue; on a downgrade nothing is.
 *
 * @returns findings in the order of files and lines; none quotes a value of the configuration
 */
export function findOutdated(
  configuration: Configuration,
  from: Version,
  to: Version,
  dialect: Dialect,
): Findings {
  if (compareVersions(from, to) > 0) return { required: [], hints: [] };
  const newest = releaseOf(to);
  const applies = ({ release }: DatedNote, onlyOnTheWay: boolean) =>
    compareVersions(release, newest) <= 0 && !(onlyOnTheWay && isOverdue(release));
  const isOverdue = (release: Version) => compareVersions(release, from) <= 0;

  const toFinding = (
    { release, note }: DatedNote,
    place: Omit<Place, 'value' | 'hasSibling'> | Unset,
    instead?: string,
  ): Finding => ({
    note: note.id,
    release: note.release,
    kind: note.kind,
    file: place.file.name,
    line: place.line,
    column: place.column,
    setting: place.setting,
    text: spell(note.text, dialect),
    instead: spell(instead ?? note.action, dialect),
    overdue: isOverdue(release),
  });

  // The rules are in order of release: a newer one replaces an older one on the same place and topic.
  const found = new Map<string, { need: Rule['need']; finding: Finding }>();
  for (const rule of rules) {
    const dated = dateOf(rule.note);
    if (!applies(dated, rule.onlyOnTheWay ?? false)) continue;
    for (const file of configuration) {
      for (const place of findSetting(file, rule.setting)) {
        if (rule.when && !rule.when(place, configuration)) continue;
        const topic = rule.topic ?? rule.note.slice(rule.note.indexOf('/') + 1);
        found.set([configuration.indexOf(file), place.line, place.column, rule.need, topic].join(), {
          need: rule.need,
          finding: toFinding(dated, place, rule.instead),
        });
      }
    }
  }

  const main = configuration.find(({ isMain }) => isMain);
  const unset = main
    ? defaultRules.flatMap(({ note, setting, instead }) => {
        const dated = dateOf(note);
        const isThere = configuration.some((file) => findSetting(file, setting).length > 0);
        if (isThere || !applies(dated, true)) return [];
        return toFinding(dated, { file: main, setting, line: null, column: null }, instead);
      })
    : [];

  const all = [...found.values()];
  const order = inOrderOf(configuration);
  return {
    required: all.flatMap(({ need, finding }) => (need === 'change' ? finding : [])).sort(order),
    hints: [...all.flatMap(({ need, finding }) => (need === 'look' ? finding : [])), ...unset].sort(order),
  };
}

type Unset = Pick<Place, 'file' | 'setting'> & { line: null; column: null };

function dateOf(id: string): DatedNote {
  const dated = notesById.get(id);
  if (!dated) throw new Error(`there is no note ${id}`);
  return dated;
}

const inOrderOf = (configuration: Configuration) => {
  const names = configuration.map(({ name }) => name);
  return (a: Finding, b: Finding) =>
    names.indexOf(a.file) - names.indexOf(b.file) ||
    (a.line ?? Infinity) - (b.line ?? Infinity) ||
    (a.column ?? 0) - (b.column ?? 0);
};
