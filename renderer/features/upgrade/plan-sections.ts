/** Turns a plan into a checklist: prepare, each version, after. */
import { i18n } from '@lingui/core';
import type {
  Note,
  Requirement,
  Step,
  StepKind,
  Stop,
  StreamCrossing,
  UpgradePlan,
} from '../../../shared/api/upgrade-plan.ts';
import { groupByTouch } from '../../../shared/upgrade/notes-by-touch.ts';
import { readToken } from '../../../shared/upgrade/summary.ts';

type RequirementItem = { what: 'requirement'; id: string; requirement: Requirement };
type NoteItem = { what: 'note'; id: string; note: Note };
type StepItem = {
  what: 'step';
  id: string;
  /** The step's label. */
  word: string;
  kind: StepKind | 'token';
  text: string;
  command: string | null;
};
export type PlanItem = RequirementItem | NoteItem | StepItem;

export type PlanSection = {
  id: string;
  title: string;
  /** Set for a version's section. */
  stop?: Stop;
  /** `2 of 6`, if there are several versions. */
  position?: string;
  crossings: StreamCrossing[];
  requirements: RequirementItem[];
  groups: { title: string; items: NoteItem[] }[];
  steps: StepItem[];
  /** All items, in order. */
  items: PlanItem[];
};

/** Returns the plan's sections; none if it has no versions. */
export function planSections(plan: UpgradePlan): PlanSection[] {
  const { stops, streams } = plan;
  const last = stops.at(-1);
  const first = stops[0];
  if (!first || !last) return [];
  const hasSeveral = stops.length > 1;
  return [
    prepareSection(plan, first),
    ...stops.map((stop, index) =>
      section({
        id: stop.version,
        title: `v${stop.version}`,
        stop,
        ...(hasSeveral && {
          position: i18n.t('{done} of {total}', { done: index + 1, total: stops.length }),
        }),
        crossings: streams.filter((crossing) => crossing.stop === stop.version),
        requirements: hasSeveral ? requirementItems(stop.version, stop.requirements) : [],
        groups: groupByTouch(stop.notes, i18n.t).map(({ title, notes }) => ({
          title,
          items: notes.map((note) => ({ what: 'note', id: note.id, note })),
        })),
        steps: stop.steps
          .filter(({ kind }) => !(stop === first && kind === 'back up'))
          .filter(({ kind }) => !(stop === last && isFinalStep(kind)))
          .map(stepItem),
      }),
    ),
    section({
      id: 'after',
      title: i18n.t('After'),
      steps: last.steps.filter(({ kind }) => isFinalStep(kind)).map(stepItem),
    }),
  ];
}

const isFinalStep = (kind: StepKind) => kind === 'check version' || kind === 'wait';

function prepareSection({ direct, from }: UpgradePlan, first: Stop): PlanSection {
  const wait = first.steps.find(({ kind }) => kind === 'wait');
  const steps: StepItem[] = [
    {
      what: 'step',
      id: 'prepare/token',
      word: i18n.t('Token'),
      kind: 'token',
      text: i18n.t('The commands below need an admin access token in ACCESS_TOKEN.'),
      command: readToken,
    },
  ];
  if (wait) {
    steps.push({
      what: 'step',
      id: 'prepare/wait',
      word: i18n.t(words.wait),
      kind: 'wait',
      text: i18n.t('Wait until v{from} finishes its background updates (current_updates is empty).', {
        from,
      }),
      command: wait.command,
    });
  }
  return section({
    id: 'prepare',
    title: i18n.t('Prepare'),
    requirements: requirementItems('prepare', direct.requirements),
    steps: [...steps, ...first.steps.filter(({ kind }) => kind === 'back up').map(stepItem)],
  });
}

function section(
  parts: Pick<PlanSection, 'id' | 'title'> & Partial<Omit<PlanSection, 'items'>>,
): PlanSection {
  const { requirements = [], groups = [], steps = [], crossings = [] } = parts;
  return {
    ...parts,
    crossings,
    requirements,
    groups,
    steps,
    items: [...requirements, ...groups.flatMap(({ items }) => items), ...steps],
  };
}

const requirementItems = (place: string, requirements: Requirement[]): RequirementItem[] =>
  requirements.map((requirement) => ({
    what: 'requirement',
    id: `${place}/needs ${requirement.name}`,
    requirement,
  }));

const words: Record<StepKind, string> = {
  'back up': /*i18n*/ 'Back up',
  stop: /*i18n*/ 'Stop',
  upgrade: /*i18n*/ 'Install',
  start: /*i18n*/ 'Start',
  'check version': /*i18n*/ 'Check',
  wait: /*i18n*/ 'Wait',
};

const stepItem = ({ id, kind, text, command }: Step): StepItem => ({
  what: 'step',
  id,
  word: i18n.t(words[kind]),
  kind,
  text,
  command,
});
