import { i18n } from '@lingui/core';
import { Button, TextInput, UnstyledButton } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type Ref, useEffect, useEffectEvent, useId, useState } from 'react';
import type { ScheduledTask } from '../../../shared/api/tasks.ts';
import { SuggestField } from '../../components/filters/SuggestField.tsx';
import { localTime, number } from '../../words/format.ts';
import classes from './TaskFilters.module.css';
import { TaskStatusMark } from './TaskStatusMark.tsx';
import { isFiltered, noFilters, type TaskSearch, type TaskState, taskStates } from './task-search.ts';

type Props = {
  /** Provide the suggested actions. */
  tasks: ScheduledTask[];
  search: TaskSearch;
  inputRef: Ref<HTMLInputElement>;
  onChange: (changes: Partial<TaskSearch>) => void;
};

export function TaskFilters({ tasks, search, inputRef, onChange }: Props) {
  const actions = [...new Set(tasks.map(({ action }) => action))].sort();
  return (
    <search className={classes.filters} aria-label={i18n.t('Filters')}>
      <ContainsField inputRef={inputRef} value={search.text} onChange={(text) => onChange({ text })} />
      <ExactField
        label={i18n.t('Action')}
        value={search.action}
        known={actions}
        onChange={(action) => onChange({ action })}
      />
      <ExactField
        label={i18n.t('Resource')}
        value={search.resource}
        onChange={(resource) => onChange({ resource })}
      />
      <TimeField label={i18n.t('From')} value={search.after} onChange={(after) => onChange({ after })} />
      <TimeField label={i18n.t('Before')} value={search.before} onChange={(before) => onChange({ before })} />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={13} />}
          onClick={() => onChange(noFilters)}
        >
          {i18n.t('Clear filters')}
        </Button>
      )}
    </search>
  );
}

type PartProps = {
  value: string | undefined;
  inputRef: Ref<HTMLInputElement>;
  onChange: (value: string | undefined) => void;
};

/** Filters the loaded tasks at each key press. */
function ContainsField({ value = '', inputRef, onChange }: PartProps) {
  return (
    <TextInput
      ref={inputRef}
      size="xs"
      type="search"
      className={classes.text}
      aria-label={i18n.t('Contains')}
      placeholder={i18n.t('Contains')}
      leftSection={<IconSearch size={13} aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
      spellCheck={false}
    />
  );
}

type TextProps = {
  label: string;
  value: string | undefined;
  known?: readonly string[];
  onChange: (value: string | undefined) => void;
};

/** A server-side filter on the whole text. */
function ExactField({ value = '', known = [], ...props }: TextProps) {
  return (
    <SuggestField
      {...props}
      className={classes.text}
      placeholder={props.label}
      value={value}
      isSet={value !== ''}
      suggestions={known}
      maxSuggestions={20}
    />
  );
}

type TimeProps = {
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
};

/** Debounce, in milliseconds. Every digit makes another valid time. */
const debounceMs = 800;

function TimeField({ label, value, onChange }: TimeProps) {
  const id = useId();
  const shown = localTime(value, 'second');
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);

  function apply(text: string) {
    const time = new Date(text).getTime();
    if (text !== shown) onChange(Number.isNaN(time) ? undefined : time);
  }
  const applyLater = useEffectEvent(apply);
  useEffect(() => {
    if (typed === shown) return;
    const timer = setTimeout(() => applyLater(typed), debounceMs);
    return () => clearTimeout(timer);
  }, [typed, shown]);

  return (
    <span className={classes.time}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="datetime-local"
        step={1}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => apply(typed)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply(typed);
          if (event.key === 'Escape') setTyped(shown);
        }}
      />
    </span>
  );
}

type StatusToggleProps = {
  /** Undefined until loaded. */
  tasks: readonly ScheduledTask[] | undefined;
  shown: readonly TaskState[] | undefined;
  onChange: (shown: TaskState[] | undefined) => void;
};

/** Renders a toggle per status, with its number of tasks; none pressed shows all. */
export function StatusToggles({ tasks, shown = [], onChange }: StatusToggleProps) {
  const counts = Map.groupBy(tasks ?? [], ({ status }) => status);
  const present = taskStates.filter(
    (status) => status !== 'cancelled' || counts.has(status) || shown.includes(status),
  );

  function toggle(status: TaskState) {
    const next = shown.includes(status) ? shown.filter((one) => one !== status) : [...shown, status];
    onChange(next.length > 0 ? next : undefined);
  }

  return (
    <fieldset className={classes.toggles} aria-label={i18n.t('Status')}>
      {present.map((status) => (
        <UnstyledButton
          key={status}
          className={classes.toggle}
          aria-pressed={shown.includes(status)}
          onClick={() => toggle(status)}
        >
          <TaskStatusMark status={status} />
          <span className={classes.count}>{tasks && number(counts.get(status)?.length ?? 0)}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}
