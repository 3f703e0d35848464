/** A plan as a Markdown document with tick boxes, to be kept with the notes of the maintenance. */
import type {
  Finding,
  Note,
  Requirement,
  Step,
  Stop,
  UnknownSetting,
  UpgradePlan,
} from '../api/upgrade-plan.ts';
import { english, type Say } from '../sentence.ts';
import { groupByTouch, kindWords } from './notes-by-touch.ts';
import { planTitle, reachOf, shortRollback } from './summary.ts';

/**
 * The whole plan. Its commands read the token from ACCESS_TOKEN; it holds nothing secret.
 *
 * @param say the language of the headings: the one in which the plan was made
 */
export function planAsMarkdown(plan: UpgradePlan, say: Say = english): string {
  const blocks = [
    `# ${plain(planTitle(plan, say))}`,
    section(
      say(/*i18n*/ 'Before you start'),
      plan.warnings.map((warning) => `- ${plain(warning)}`),
    ),
    section(
      say(/*i18n*/ 'Configuration changes'),
      plan.config.map((finding) => findingItem(finding, say)),
    ),
    section(
      say(/*i18n*/ 'Configuration suggestions'),
      plan.config_hints.map((finding) => findingItem(finding, say)),
    ),
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
  items.length > 0 ? `## ${title}\n\n${items.join('\n')}` : '';

/** What a downgrade can do is said by its only stop or, where there is none, by a warning. */
function rollbackSection({ direction, direct, stops, to }: UpgradePlan, say: Say): string {
  if (direction !== 'upgrade') return '';
  const rows = stops.map(
    ({ version, rollback_to, rollback }) =>
      `| v${version} | ${reachOf(rollback_to, say)} | ${shortRollback(rollback, say)} |`,
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

function findingItem(finding: Finding, say: Say): string {
  const { file, line, column, setting, release, kind, text, instead, overdue } = finding;
  const place = line === null ? file : `${file}:${line}:${column}`;
  const marks = [`v${release}`, say(kindWords[kind]), ...(overdue ? [say(/*i18n*/ 'overdue')] : [])];
  return `- [ ] ${code(place)} ${code(setting)} (${marks.join(', ')}): ${plain(text)} ${plain(instead)}`;
}

const unknownItem = ({ file, line, column, setting }: UnknownSetting, say: Say) =>
  `- ${code(`${file}:${line}:${column}`)} ${setting === null ? say(/*i18n*/ 'not a setting name') : code(setting)}`;

/** Text that means itself in Markdown. */
const plain = (text: string) => text.replace(/[\\*<>[\]`|]/g, '\\$&');
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
