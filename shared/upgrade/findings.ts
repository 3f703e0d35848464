/** Finds settings that changes between two versions affect. */
import { type Finding, type Severity, severities, type UnknownSetting } from '../api/upgrade-plan.ts';
import type { Dialect } from '../dialect.ts';
import { english, type Say, type Sentence } from '../sentence.ts';
import { changes, type DatedNote, spell } from './changes/changes.ts';
import type { Configuration, SettingPosition } from './configuration.ts';
import { knownSettings } from './known-settings.ts';
import { defaultRules, rules, sourceRules } from './rules/configuration-rules.ts';
import type { Rule } from './rules/rule.ts';
import { sourceNotes } from './synapse/setting-notes.ts';
import { compareVersions, formatVersion, parseVersion, releaseOf, type Version } from './version.ts';

export type Findings = {
  /** Settings that must change. */
  required: Finding[];
  /** Settings that a note is about and that may stay. */
  hints: Finding[];
};

type Search = {
  configuration: Configuration;
  from: Version;
  /** The newest release to consider. */
  newest: Version;
  dialect: Dialect;
  say: Say;
};

/**
 * Searches a configuration. Includes changes that releases before the running one required, as overdue. Finds nothing for a
 * downgrade.
 *
 * @returns findings, the most severe first, then by file and line; none quotes a value
 */
export function findOutdated(
  configuration: Configuration,
  from: Version,
  to: Version,
  dialect: Dialect,
  say: Say = english,
): Findings {
  if (compareVersions(from, to) > 0) return { required: [], hints: [] };
  const search: Search = { configuration, from, newest: releaseOf(to), dialect, say };
  const order = bySeverity(configuration);
  return {
    required: findSet(search, 'change').sort(order),
    hints: [...findSet(search, 'review'), ...findUnset(search)].sort(order),
  };
}

/**
 * Finds settings that no known release has: misspelled ones, or newer than the data.
 */
export const findUnknown = (configuration: Configuration): UnknownSetting[] =>
  configuration.flatMap((file) =>
    file
      .names()
      // `x-…` is for extensions, such as anchors.
      .filter(({ setting }) => !isKnown(setting) && !setting.startsWith('x-'))
      .map(({ setting, line, column }) => ({
        file: file.name,
        line,
        column,
        // Anything else may be a misplaced value, and values aren't quoted.
        setting: /^[a-z][a-z0-9_]{0,60}$/.test(setting) ? setting : null,
      })),
  );

const former = new Set(sourceNotes.flatMap(({ note }) => note.settings));
const isKnown = (setting: string) => knownSettings.has(setting) || former.has(setting);

function findSet(search: Search, need: Rule['need']): Finding[] {
  const { configuration } = search;
  // The rules are in order of release: a newer one replaces an older one on the same place and topic.
  const found = new Map<string, Finding>();
  // Rules from Synapse's source only apply to Synapse.
  for (const rule of search.dialect.name === 'matrix' ? [...rules, ...sourceRules] : rules) {
    const dated = datedNote(rule.note);
    if (rule.need !== need || !applies(search, dated, rule.onlyWhileUpgrading ?? false)) continue;
    if (rule.onlyAt !== undefined && rule.onlyAt !== formatVersion(search.newest)) continue;
    const topic = rule.topic ?? rule.note.slice(rule.note.indexOf('/') + 1);
    for (const [index, file] of configuration.entries()) {
      for (const place of file.find(rule.setting)) {
        if (rule.when && !rule.when(place, configuration)) continue;
        found.set(
          [index, place.line, place.column, topic].join(),
          toFinding(search, dated, place, rule.instead, severityOf(rule, dated, place, configuration)),
        );
      }
    }
  }
  return [...found.values()];
}

function findUnset(search: Search): Finding[] {
  const { configuration } = search;
  const file = configuration.find(({ isMain }) => isMain);
  if (!file) return [];
  return defaultRules.flatMap(({ note, setting, instead }) => {
    const dated = datedNote(note);
    const isSet = configuration.some((other) => other.find(setting).length > 0);
    if (isSet || !applies(search, dated, true)) return [];
    return toFinding(search, dated, { file, setting, line: null, column: null }, instead, 'default changed');
  });
}

const isOverdue = ({ from }: Search, { release }: DatedNote) => compareVersions(release, from) <= 0;

const applies = (search: Search, dated: DatedNote, onlyWhileUpgrading: boolean) =>
  compareVersions(dated.release, search.newest) <= 0 && !(onlyWhileUpgrading && isOverdue(search, dated));

type FoundPosition = Pick<SettingPosition, 'file' | 'setting'> & {
  line: number | null;
  column: number | null;
};

/** For rules that only recommend a check, settings of older releases and changed defaults are more severe. */
function severityOf(
  { need, refuses, severity }: Rule,
  { note, source }: SourcedNote,
  place: SettingPosition,
  configuration: Configuration,
): Severity {
  const isRefused = typeof refuses === 'function' ? refuses(place, configuration) : refuses === true;
  if (isRefused) return 'refuses to start';
  if (severity) return severity;
  if (note.kind === 'default changed') return 'default changed';
  if (need === 'review' && source === undefined) return 'hint';
  if (note.kind === 'removed') return 'removed';
  return note.kind === 'deprecated' || note.kind === 'moved' ? 'deprecated' : 'hint';
}

function toFinding(
  search: Search,
  dated: SourcedNote,
  place: FoundPosition,
  instead: Sentence | undefined,
  severity: Severity,
): Finding {
  const { note, source } = dated;
  return {
    note: note.id,
    release: note.release,
    kind: note.kind,
    severity,
    file: place.file.name,
    line: place.line,
    column: place.column,
    setting: place.setting,
    text: spell(search.say(note.text), search.dialect),
    instead: spell(search.say(instead?.sentence ?? note.action, instead?.values), search.dialect),
    overdue: isOverdue(search, dated),
    ...(source !== undefined && { source }),
  };
}

type SourcedNote = DatedNote & { source?: string };

const notesById = new Map<string, SourcedNote>(
  [
    ...changes,
    ...sourceNotes.map(({ note, source }) => ({ note, source, release: parseVersion(note.release) })),
  ].map((dated) => [dated.note.id, dated]),
);

/** Whether a finding can have this ID. */
export const isNote = (id: string) => notesById.has(id);

function datedNote(id: string): SourcedNote {
  const dated = notesById.get(id);
  if (!dated) throw new Error(`there is no note ${id}`);
  return dated;
}

const bySeverity = (configuration: Configuration) => {
  const names = configuration.map(({ name }) => name);
  return (a: Finding, b: Finding) =>
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    names.indexOf(a.file) - names.indexOf(b.file) ||
    (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER) ||
    (a.column ?? 0) - (b.column ?? 0);
};
