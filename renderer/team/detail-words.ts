import { i18n } from '@lingui/core';
import type { ActionEntry } from '../../shared/team/entries.ts';

/** Details of actions as they are logged: in English, because colleagues read them in other languages. */
const known: readonly [RegExp, string][] = [
  [
    /^messages: (?<messages>\d+), files: (?<files>\d+)$/,
    /*i18n*/ '{messages, plural, one {# message} other {# messages}}, {files, plural, one {# file} other {# files}}',
  ],
  [/^erased$/, /*i18n*/ 'erased'],
  [/^was gone already$/, /*i18n*/ 'already deleted'],
  [/^not done: (?<count>\d+)$/, /*i18n*/ 'not done: {count}'],
  [/^dropped: changed by (?<name>@\S+)$/, /*i18n*/ 'dropped: changed by {name}'],
  [/^(?<count>\d+) deleted$/, /*i18n*/ '{count} deleted'],
  [/^(?<count>\d+) sessions$/, /*i18n*/ '{count, plural, one {# session} other {# sessions}}'],
  [/^until (?<time>.+)$/, /*i18n*/ 'until {time}'],
  [/^(?<rate>[\d.]+) per second, (?<burst>\d+) at once$/, /*i18n*/ '{rate} per second, {burst} at once'],
  [/^(?<count>\d+) media$/, /*i18n*/ '{count, plural, one {# file} other {# files}}'],
  [
    /^(?<count>\d+) media, (?<identical>\d+) identical files$/,
    /*i18n*/ '{count, plural, one {# file} other {# files}}, {identical, plural, one {# identical copy} other {# identical copies}}',
  ],
  [
    /^(?<count>\d+) media, not opened since (?<day>[\d-]+)$/,
    /*i18n*/ '{count, plural, one {# file} other {# files}}, not accessed since {day}',
  ],
  [
    /^(?<count>\d+) media, not opened since (?<day>[\d-]+), larger than (?<bytes>\d+) bytes$/,
    /*i18n*/ '{count, plural, one {# file} other {# files}}, not accessed since {day}, larger than {bytes, plural, one {# byte} other {# bytes}}',
  ],
  [/^with one edit$/, /*i18n*/ 'with one edit'],
  [/^with (?<count>\d+) edits$/, /*i18n*/ 'with {count, plural, one {# edit} other {# edits}}'],
  [/^(?<count>\d+) added: (?<names>.*)$/, /*i18n*/ '{count} added: {names}'],
  [/^joined$/, /*i18n*/ 'joined'],
  [/^joined, added (?<name>@\S+)$/, /*i18n*/ 'joined, added {name}'],
  [/^made room admin, joined$/, /*i18n*/ 'became room admin, joined'],
  [/^made room admin, joined, added (?<name>@\S+)$/, /*i18n*/ 'became room admin, joined, added {name}'],
];

/** Their details are texts of the team or of users. */
const withOwnText = new Set(['warn-user', 'message-reporter', 'send-server-notice', 'appeal']);

/** Returns an action's detail, translated if it's a known one. */
export function detailText({ action, detail }: Pick<ActionEntry, 'action' | 'detail'>): string | undefined {
  if (!detail || withOwnText.has(action)) return detail;
  for (const [pattern, message] of known) {
    const match = pattern.exec(detail);
    if (match) return i18n.t(message, valuesOf(match.groups ?? {}));
  }
  return detail;
}

const valuesOf = (groups: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text]),
  );
