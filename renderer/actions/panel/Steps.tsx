import { i18n } from '@lingui/core';
import { Checkbox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCircleCheck } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import { userMediaQuery } from '../../api/user.ts';
import { useServer } from '../../console-context.ts';
import { failureSentence } from '../../transport/refusal.ts';
import type { Action, Field, Form } from '../action.ts';
import { actionText } from '../action-words.ts';
import { type Item, keyOf, userOf } from '../items.ts';
import { isApplicable, targetsOf } from '../steps.ts';
import classes from './ActionPanel.module.css';

type ForecastProps = {
  action: Action;
  item: Item;
  fields: Answers['fields'];
  /** Called with fields whose input leaves nothing to do. */
  onIdle: (fields: Answers['fields']) => void;
};

/** Shows the forecast. Confirming doesn't wait for it. */
export function ForecastNote({ action, item, fields: typed, onIdle }: ForecastProps) {
  const server = useServer();
  const [fields] = useDebouncedValue(typed, 300);
  const query = useQuery({
    queryKey: [server.id, 'forecast', action.id, keyOf(item), fields],
    queryFn: async ({ signal }) =>
      (await action.forecast?.(server, item, { reason: '', fields }, signal)) ?? { sentences: [] },
    staleTime: 10_000,
    retry: false,
  });
  const { idle = false, sentences, taskOf } = query.data ?? {};
  useEffect(() => {
    if (idle) onIdle(fields);
  }, [idle, fields, onIdle]);
  return (
    <div className={classes.note} role="status">
      {query.error
        ? i18n.t('Preview unavailable: {why}', { why: failureSentence(query.error) })
        : sentences === undefined
          ? i18n.t('Loading preview…')
          : sentences.map((sentence) => <div key={sentence}>{sentence}</div>)}
      {taskOf !== undefined && (
        <Link to="/tasks" search={{ resource: taskOf }} className={classes.way}>
          {i18n.t('View task')}
        </Link>
      )}
    </div>
  );
}

type Props = {
  action: Action;
  form: Form;
  /** The visible fields. */
  shown: readonly Field[];
  inputOf: (field: Field) => ReactNode;
  onField: (name: string, value: boolean) => void;
};

/** A checkbox for each available step, with its forecast and, if checked, its fields. */
export function Steps({ action: { steps = [] }, form, shown, inputOf, onField }: Props) {
  const { fields } = form;
  const uploads = useUploads(form, steps);
  const there = steps.filter((step) => targetsOf(step, form).length > 0);
  const left = there.filter((step) => isApplicable(step, form));
  return (
    <fieldset className={classes.steps}>
      <legend>{i18n.t('Steps')}</legend>
      <AlreadyDone steps={there.filter((step) => !left.includes(step))} form={form} />
      {left.map((step) => {
        const reached = targetsOf(step, form);
        const isChosen = fields[step.id] === true;
        const count = step.id === 'quarantine-user-media' ? uploads : undefined;
        const own = shown.filter(({ name }) => step.fields?.some((field) => field.name === name));
        return (
          <div key={step.id} className={classes.step}>
            <Checkbox
              size="xs"
              label={
                <>
                  {actionText(step, 'label', reached)}{' '}
                  <span className={classes.hint}>{count ?? i18n.t(step.hint)}</span>
                </>
              }
              checked={isChosen}
              onChange={(event) => onField(step.id, event.currentTarget.checked)}
            />
            {own.map((field) => (
              <div key={field.name} className={classes.ofStep}>
                {inputOf(field)}
              </div>
            ))}
            {isChosen && step.forecast && reached.length === 1 && (
              <div className={classes.ofStep}>
                <ForecastNote action={step} item={reached[0] as Item} fields={fields} onIdle={() => {}} />
              </div>
            )}
          </div>
        );
      })}
      <RemoteNote steps={steps} form={form} />
    </fieldset>
  );
}

/** Returns the number of a local user's files as text; undefined while unknown. */
function useUploads({ server, offered, items }: Form, steps: readonly Action[]): string | undefined {
  const reached = new Set(
    steps
      .filter(({ needs }) => needs.includes('userMedia'))
      .flatMap((step) => targetsOf(step, { server, offered, items }))
      .map(userOf),
  );
  const [userId = ''] = items.length === 1 ? reached : [];
  const query = useInfiniteQuery({ ...userMediaQuery(server, userId), enabled: userId !== '' });
  const count = query.data?.pages[0]?.total;
  if (count === undefined) return undefined;
  return i18n.t('{count, plural, =0 {No media} one {One file} other {# files}}', { count });
}

/** Lists steps that don't apply because they're already done. */
function AlreadyDone({ steps, form: { items, known } }: { steps: readonly Action[]; form: Form }) {
  const ended = known.user?.deactivated ? steps.find(({ id }) => id === 'deactivate-user') : undefined;
  const done = new Set(steps.map((step) => actionText(ended ?? step, 'done', items)));
  return [...done].map((what) => (
    <p key={what} className={classes.so}>
      <IconCircleCheck size={15} stroke={1.7} aria-hidden />
      {i18n.t('Already done: {what}', { what })}
    </p>
  ));
}

/** Lists steps that don't affect remote users. */
function RemoteNote({ steps, form }: { steps: readonly Action[]; form: Form }) {
  const { items } = form;
  const isHere = steps.some((step) => step.localOnly && step.needs.every((each) => form.offered.has(each)));
  const reached = new Set(steps.filter((step) => step.localOnly).flatMap((step) => targetsOf(step, form)));
  const others = items.filter((item) => !reached.has(item));
  if (!isHere || others.length === 0) return null;
  return (
    <p className={classes.note}>
      {items.length === 1
        ? i18n.t("Remote user: account and media can't be changed here.")
        : i18n.t(
            "{count, plural, one {One remote user} other {# remote users}}: account and media can't be changed here.",
            { count: others.length },
          )}
    </p>
  );
}
