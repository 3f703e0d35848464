/** A plan for a terminal: plain text of at most 100 columns, except for commands that can't be broken. */
import type {
  Finding,
  IgnoredFinding,
  KnownFact,
  Note,
  Requirement,
  Step,
  Stop,
  UnknownSetting,
  UpgradePlan,
} from '../../../shared/api/upgrade-plan.ts';
import { english } from '../../../shared/sentence.ts';
import { type FindingGroup, groupFindings, severityWords } from '../../../shared/upgrade/finding-groups.ts';
import { groupByTouch } from '../../../shared/upgrade/notes-by-touch.ts';
import {
  dueWith,
  planTitle,
  reachOf,
  shellVariables,
  shortRollback,
} from '../../../shared/upgrade/summary.ts';
import { fromSource } from '../../../shared/upgrade/synapse/known.ts';

const width = 100;

/** @param hasConfiguration whether configuration files were read */
export function planAsText(plan: UpgradePlan, hasConfiguration: boolean): string {
  const isClean = plan.config.length + plan.config_hints.length === 0;
  const blocks = [
    planTitle(plan),
    block('Before you begin', [
      ...plan.warnings.map((warning) => wrap(warning, '  ! ', '    ')),
      ...shellVariables(plan).map(({ text, command }) => `${wrap(text, '  ')}\n    $ ${command}`),
    ]),
    block('Required configuration changes', groupFindings(plan.config).map(groupLines(plan))),
    block('Configuration to review', groupFindings(plan.config_hints).map(groupLines(plan))),
    block('Configuration', hasConfiguration && isClean ? ['  No changes needed for this plan.'] : []),
    block('Ignored', groupFindings(plan.config_ignored ?? []).map(ignoredLines)),
    block('Unknown settings', plan.config_unknown.map(unknownLine)),
    rollbackBlock(plan),
    block(
      'Workers',
      plan.streams.map(({ text }) => wrap(text, '  ')),
    ),
    ...plan.stops.map((stop, index) => stopBlock(stop, index, plan.stops.length)),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const block = (title: string, items: string[]) => (items.length > 0 ? [title, ...items].join('\n') : '');

/** A downgrade's only step says whether it is possible; without one, a warning does. */
function rollbackBlock({ direction, direct, stops, to }: UpgradePlan): string {
  if (direction !== 'upgrade') return '';
  const rows = [
    ['Version', 'Rollback to', 'Previous version'],
    ...stops.map((stop) => [`v${stop.version}`, reachOf(stop), shortRollback(stop)]),
  ];
  return block('Rollback', [
    ...table(rows),
    ...(stops.length > 1
      ? [wrap(`Direct to v${to}, no intermediate versions: ${direct.rollback?.text ?? ''}`, '  ')]
      : []),
  ]);
}

function stopBlock(stop: Stop, index: number, total: number): string {
  const install = stop.install === undefined ? '' : `, install v${stop.install}`;
  const title = `v${stop.version}${install}  (version ${index + 1} of ${total})`;
  return [
    title,
    '─'.repeat(title.length),
    wrap(`${stop.reason}. ${stop.rollback.text}`, '  '),
    knownLines(stop.known),
    requirementLines(stop.requirements),
    ...groupByTouch(stop.notes).map(({ title, notes }) => `\n  ${title}\n${notes.map(noteLines).join('\n')}`),
    `\n  Steps\n${stop.steps.map(stepLines).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n');
}

function requirementLines(requirements: Requirement[]): string {
  if (requirements.length === 0) return '';
  const lines = requirements.map(({ text, check }) =>
    [wrap(text, '    '), ...(check === null ? [] : [`      $ ${check}`])].join('\n'),
  );
  return `\n  Requirements\n${lines.join('\n')}`;
}

function noteLines({ release, kind, text, endpoints, action }: Note): string {
  const start = `    ${`v${release}`.padEnd(10)}`;
  const indent = ' '.repeat(start.length);
  return [
    wrap(`${capitalized(kind)}. ${text}`, start, indent),
    ...endpoints.map((endpoint) => indent + endpoint),
    wrap(action, `${indent}→ `, `${indent}  `),
  ].join('\n');
}

function stepLines({ text, command }: Step, index: number): string {
  return [
    wrap(text, `    ${index + 1}. `, '       '),
    ...(command === null ? [] : [commandLines(command, '       ')]),
  ].join('\n');
}

/** Returns a command in one line or, if too long, with its last argument on a second line. */
function commandLines(command: string, indent: string): string {
  const line = `${indent}$ ${command}`;
  if (line.length <= width) return line;
  const at = command.lastIndexOf(' ');
  return `${indent}$ ${command.slice(0, at)} \\\n${indent}    ${command.slice(at + 1)}`;
}

const groupLines =
  ({ stops }: UpgradePlan) =>
  ({ finding, places }: FindingGroup): string => {
    const { severity, release, text, overdue, note, source } = finding;
    const due = dueWith(stops, finding);
    const marks = `v${release}${overdue ? ', overdue' : ''}${due ? `, change with v${due}` : ''}`;
    return [
      wrap(
        `${severityWords[severity]}, ${marks}: ${text}${source ? ` (${fromSource(english)})` : ''}`,
        '  ',
        '    ',
      ),
      ...places.flatMap((place) => [
        `    ${placeOf(place)}  ${place.setting}`,
        wrap(place.instead, '      → ', '        '),
      ]),
      `    ID: ${note}`,
    ].join('\n');
  };

function ignoredLines({ finding, places }: FindingGroup<IgnoredFinding>): string {
  return wrap(`${finding.note}: ${finding.why} (${places.map(placeOf).join(', ')})`, '  ', '    ');
}

const placeOf = ({ file, line, column }: Finding) => (line === null ? file : `${file}:${line}:${column}`);

function knownLines(known: KnownFact[]): string {
  if (known.length === 0) return '';
  const lines = known.map(({ text, check }) =>
    [wrap(text, '    ', '      '), ...(check === null ? [] : [commandLines(check, '      ')])].join('\n'),
  );
  return `\n  ${fromSource(english)}\n${lines.join('\n')}`;
}

const unknownLine = ({ file, line, column, setting }: UnknownSetting) =>
  `  ${file}:${line}:${column}  ${setting ?? 'invalid setting name'}`;

function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
}

/** Breaks text between words; a word that is longer than a line stays whole. */
function wrap(text: string, first: string, indent: string = first): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
