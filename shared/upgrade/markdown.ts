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
import { groupByTouch } from './notes-by-touch.ts';
import { planTitle, reachOf, shortRollback } from './summary.ts';

/** The whole plan. Its commands read the token from ACCESS_TOKEN; it holds nothing secret. */
export function planAsMarkdown(plan: UpgradePlan): string {
  const blocks = [
    `# ${plain(planTitle(plan))}`,
    section(
      'Before you begin',
      plan.warnings.map((warning) => `- ${plain(warning)}`),
    ),
    section('To change in the configuration', plan.config.map(findingItem)),
    section('To look at in the configuration', plan.config_hints.map(findingItem)),
    section('Not known to any release', plan.config_unknown.map(unknownItem)),
    rollbackSection(plan),
    section(
      'Workers',
      plan.streams.map(({ text }) => `- ${plain(text)}`),
    ),
    ...plan.stops.map(stopSection),
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const section = (title: string, items: string[]) =>
  items.length > 0 ? `## ${title}\n\n${items.join('\n')}` : '';

/** What a downgrade can do is said by its only stop or, where there is none, by a warning. */
function rollbackSection({ direction, direct, stops, to }: UpgradePlan): string {
  if (direction !== 'upgrade') return '';
  const rows = stops.map(
    ({ version, rollback_to, rollback }) =>
      `| v${version} | ${reachOf(rollback_to)} | ${shortRollback(rollback)} |`,
  );
  return [
    '## Rolling back',
    '',
    '| stop | can go back to | to the version before |',
    '| --- | --- | --- |',
    ...rows,
    ...(stops.length > 1
      ? ['', `Directly to v${to}, without stops: ${plain(direct.rollback?.text ?? '')}`]
      : []),
  ].join('\n');
}

function stopSection(stop: Stop): string {
  const blocks = [
    `## v${stop.version}`,
    `${plain(stop.reason)}. ${plain(stop.rollback.text)}`,
    list('What has to be installed', stop.requirements.map(requirementItem)),
    ...groupByTouch(stop.notes).map(({ title, notes }) => list(title, notes.map(noteItem))),
    list('Steps', stop.steps.map(stepItem)),
  ];
  return blocks.filter(Boolean).join('\n\n');
}

const list = (title: string, items: string[]) =>
  items.length > 0 ? `### ${title}\n\n${items.join('\n')}` : '';

const requirementItem = ({ text, check }: Requirement) =>
  `- [ ] ${plain(text)}${check === null ? '' : `: ${code(check)}`}`;

function noteItem({ release, kind, text, action, endpoints }: Note): string {
  const paths = endpoints.length > 0 ? ` (${endpoints.map(code).join(', ')})` : '';
  return `- [ ] **v${release}**, ${kind}: ${plain(text)}${paths} ${plain(action)}`;
}

const stepItem = ({ text, command }: Step, index: number) =>
  `${index + 1}. [ ] ${plain(text)}${command === null ? '' : `\n\n   \`\`\`sh\n   ${command}\n   \`\`\`\n`}`;

function findingItem(finding: Finding): string {
  const { file, line, column, setting, release, kind, text, instead, overdue } = finding;
  const place = line === null ? file : `${file}:${line}:${column}`;
  return `- [ ] ${code(place)} ${code(setting)} (v${release}, ${kind}${overdue ? ', overdue' : ''}): ${plain(text)} ${plain(instead)}`;
}

const unknownItem = ({ file, line, column, setting }: UnknownSetting) =>
  `- ${code(`${file}:${line}:${column}`)} ${setting === null ? 'what is no name of a setting' : code(setting)}`;

/** Text that means itself in Markdown. */
const plain = (text: string) => text.replace(/[\\*<>[\]`|]/g, '\\$&');
const code = (text: string) => `\`${text.replaceAll('`', "'")}\``;
