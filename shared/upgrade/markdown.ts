/** Renders a plan as Markdown with checkboxes. */
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
} from '../api/upgrade-plan.ts';
import { english, type Say } from '../sentence.ts';
import { type FindingGroup, groupFindings, severityWords } from './finding-groups.ts';
import { groupByTouch, kindWords } from './notes-by-touch.ts';
import { dueWith, planTitle, reachOf, shellVariables, shortRollback } from './summary.ts';
import { fromSource } from './synapse/known.ts';

/**
 * Renders a plan. Contains no secrets: its commands read the token from ACCESS_TOKEN.
 *
 * @param say language of the headings, as for the plan
 */
export function planAsMarkdown(plan: UpgradePlan, say: Say = english): string {
  const blocks = [
    `# ${plain(planTitle(plan, say))}`,
    section(say(/*i18n*/ 'Before you start'), [
      ...plan.warnings.map((warning) => `- ${plain(warning)}`),
      ...shellVariables(plan, say).map(
        ({ text, command }) => `- ${plain(text)}\n\n  \`\`\`sh\n  ${command}\n  \`\`\`\n`,
      ),
    ]),
    section(
      say(/*i18n*/ 'Configuration changes'),
      groupFindings(plan.config).map((group) => findingItem(group, plan, say)),
    ),
    section(
      say(/*i18n*/ 'Configuration suggestions'),
      groupFindings(plan.config_hints).map((group) => findingItem(group, plan, say)),
    ),
    section(say(/*i18n*/ 'Ignored'), groupFindings(plan.config_ignored ?? []).map(ignoredItem)),
    section(
      say(/*i18n*/ 'Unknown settings'),
      plan.config_unknown.map((unknown) => unknownItem(unknown, say)),
    ),
    rollbackSection(plan, say),
    section(
      say(/*i18n*/ 'Workers'),
      plan.streams.map(({ text }) => `- ${plain(text)}`),
    ),
    ...plan.stops.map((stop) => stopSection(stop, say)),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const section = (title: string, items: string[]) =>
  items.length > 0 ? `## ${title}\n\n${items.join('\n').trimEnd()}` : '';

/** Only for upgrades: a downgrade has this in its stop or a warning. */
function rollbackSection({ direction, direct, stops, to }: UpgradePlan, say: Say): string {
  if (direction !== 'upgrade') return '';
  const rows = stops.map(
    (stop) => `| v${stop.version} | ${reachOf(stop, say)} | ${shortRollback(stop, say)} |`,
  );
  const columns = [say(/*i18n*/ 'Version'), say(/*i18n*/ 'Rollback to'), say(/*i18n*/ 'Previous version')];
  const reason = direct.rollback?.text ?? '';
  return [
    `## ${say(/*i18n*/ 'Rollback')}`,
    '',
    `| ${columns.join(' | ')} |`,
    '| --- | --- | --- |',
    ...rows,
    ...(stops.length > 1
      ? ['', plain(say(/*i18n*/ 'Direct to v{to}, no intermediate versions: {reason}', { to, reason }))]
      : []),
  ].join('\n');
}

function stopSection(stop: Stop, say: Say): string {
  const blocks = [
    `## v${stop.version}`,
    `${plain(stop.reason)}. ${plain(stop.rollback.text)}`,
    list(fromSource(say), stop.known.map(knownItem)),
    list(say(/*i18n*/ 'Requirements'), stop.requirements.map(requirementItem)),
    ...groupByTouch(stop.notes, say).map(({ title, notes }) =>
      list(
        title,
        notes.map((note) => noteItem(note, say)),
      ),
    ),
    list(say(/*i18n*/ 'Steps'), stop.steps.map(stepItem)),
  ];
  return blocks.filter(Boolean).join('\n\n');
}

const list = (title: string, items: string[]) =>
  items.length > 0 ? `### ${title}\n\n${items.join('\n')}` : '';

const requirementItem = ({ text, check }: Requirement) =>
  `- [ ] ${plain(text)}${check === null ? '' : `: ${code(check)}`}`;

function noteItem({ release, kind, text, action, endpoints }: Note, say: Say): string {
  const paths = endpoints.length > 0 ? ` (${endpoints.map(code).join(', ')})` : '';
  return `- [ ] **v${release}**, ${say(kindWords[kind])}: ${plain(text)}${paths} ${plain(action)}`;
}

const stepItem = ({ text, command }: Step, index: number) =>
  `${index + 1}. [ ] ${plain(text)}${command === null ? '' : `\n\n   \`\`\`sh\n   ${command}\n   \`\`\`\n`}`;

function findingItem({ finding, places }: FindingGroup, { stops }: UpgradePlan, say: Say): string {
  const { release, severity, text, overdue, source } = finding;
  const due = dueWith(stops, finding);
  const marks = [
    say(severityWords[severity]),
    `v${release}`,
    ...(overdue ? [say(/*i18n*/ 'overdue')] : []),
    ...(due ? [say(/*i18n*/ 'change with v{version}', { version: due })] : []),
    ...(source ? [fromSource(say)] : []),
  ];
  return [
    `- [ ] **${marks.join(', ')}**: ${plain(text)}`,
    ...places.map((place) => `  - ${code(placeOf(place))} ${code(place.setting)}: ${plain(place.instead)}`),
  ].join('\n');
}

const ignoredItem = ({ finding, places }: FindingGroup<IgnoredFinding>) =>
  `- ${code(finding.note)} (${places.map((place) => code(placeOf(place))).join(', ')}): ${plain(finding.why)}`;

const placeOf = ({ file, line, column }: Finding) => (line === null ? file : `${file}:${line}:${column}`);

const knownItem = ({ text, check, source }: KnownFact) =>
  `- ${plain(text)}${check === null ? '' : ` ${code(check)}`} <${source}>`;

const unknownItem = ({ file, line, column, setting }: UnknownSetting, say: Say) =>
  `- ${code(`${file}:${line}:${column}`)} ${setting === null ? say(/*i18n*/ 'not a setting name') : code(setting)}`;

/** Escapes text for Markdown. */
const plain = (text: string) => text.replace(/[\\*<>[\]`|]/g, '\\$&');
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
