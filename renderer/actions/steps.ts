/** An action of several steps: which of them there are for whom. */
import type { Offered } from '../api/offered.ts';
import type { Server } from '../transport/server.ts';
import type { Action, Answers, Form } from './action.ts';
import { type Item, isLocal, userOf } from './items.ts';

export const reaches = ({ localOnly }: Action, server: Server, item: Item): boolean =>
  !localOnly || isLocal(server, userOf(item) ?? '');

type Asked = { server: Server; offered: Pick<Offered, 'has'>; items: readonly Item[] };

/** Those that a step can be done to; nobody where the server does not offer it. */
export const reachedBy = (step: Action, { server, offered, items }: Asked): readonly Item[] =>
  step.needs.every((endpoint) => offered.has(endpoint))
    ? items.filter((item) => reaches(step, server, item))
    : [];

/** Whether something of a step is left to do. */
export const isToDo = (step: Action, form: Form): boolean =>
  reachedBy(step, form).length > 0 && (form.items.length > 1 || step.applies?.(form.known) !== false);

/** What an action with these answers comes to: itself, or the steps that are chosen. */
export const chosenOf = (action: Action, fields: Answers['fields']): readonly Action[] =>
  action.steps?.filter(({ id }) => fields[id] === true) ?? [action];

export const canTakeBack = ({ undo, steps = [] }: Action): boolean =>
  undo !== undefined || steps.some((step) => step.undo !== undefined);
