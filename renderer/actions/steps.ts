/** Actions of several steps: which steps apply to which items. */
import type { Answers } from '../../shared/team/action-inputs.ts';
import { allows } from '../../shared/team/roles.ts';
import type { Offered } from '../api/supported-endpoints.ts';
import { teamOf } from '../team/team-store.ts';
import type { Server } from '../transport/server.ts';
import type { Action, Form } from './action.ts';
import { type Item, isLocal, userOf } from './items.ts';

export const reaches = ({ localOnly }: Action, server: Server, item: Item): boolean =>
  !localOnly || isLocal(server, userOf(item) ?? '');

type StepTargets = { server: Server; offered: Pick<Offered, 'has'>; items: readonly Item[] };

/** Returns the items that a step supports; none if the server or the user's role doesn't offer the step. */
export const targetsOf = (step: Action, { server, offered, items }: StepTargets): readonly Item[] =>
  step.needs.every((endpoint) => offered.has(endpoint)) && allows(teamOf(server).snapshot().role, step.role)
    ? items.filter((item) => reaches(step, server, item))
    : [];

/** Whether a step has something to do. */
export const isApplicable = (step: Action, form: Form): boolean =>
  targetsOf(step, form).length > 0 && (form.items.length > 1 || step.applies?.(form.known) !== false);

/** Returns the chosen steps; the action itself if it has none. */
export const selectedSteps = (action: Action, fields: Answers['fields']): readonly Action[] =>
  action.steps?.filter(({ id }) => fields[id] === true) ?? [action];

export const isUndoable = ({ undo, steps = [] }: Action): boolean =>
  undo !== undefined || steps.some((step) => step.undo !== undefined);
