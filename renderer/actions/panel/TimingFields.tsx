import { i18n } from '@lingui/core';
import { NativeSelect, TextInput } from '@mantine/core';
import type { Answers } from '../../../shared/team/action-inputs.ts';
import type { Action } from '../action.ts';
import classes from './ActionPanel.module.css';
import { limitDays, type Timing, timingFields } from './timing.ts';

type Props = {
  fields: Answers['fields'];
  /** Actions that a time limit ends; without any, none is offered. */
  limited: readonly Action[];
  /** Whether they're steps of the action. */
  areSteps: boolean;
  /** Whether it can be scheduled. */
  hasTime: boolean;
  fault: Timing['fault'];
  onField: (name: string, value: string) => void;
};

/** A time limit, and when the action is carried out. */
export function TimingFields({ fields, limited, areSteps, hasTime, fault, onField }: Props) {
  const hasLimit = limited.length > 0;
  const [limit, when] = [String(fields[timingFields.limit] ?? ''), String(fields[timingFields.when] ?? '')];
  return (
    <div className={classes.timing}>
      {hasLimit && (
        <NativeSelect
          size="xs"
          label={areSteps ? durationOf(limited) : i18n.t('Duration')}
          data={[
            { value: '', label: i18n.t('No limit') },
            ...limitDays.map((days) => ({
              value: String(days),
              label: i18n.t('{count, plural, one {# day} other {# days}}', { count: days }),
            })),
            { value: 'until', label: i18n.t('Until…') },
          ]}
          value={limit}
          onChange={(event) => onField(timingFields.limit, event.currentTarget.value)}
        />
      )}
      {hasLimit && limit === 'until' && (
        <Moment
          label={i18n.t('Until')}
          name={timingFields.until}
          fields={fields}
          isWrong={fault === 'until'}
          onField={onField}
        />
      )}
      {hasTime && (
        <NativeSelect
          size="xs"
          label={i18n.t('When')}
          data={[
            { value: '', label: i18n.t('Now') },
            { value: 'at', label: i18n.t('At a time…') },
          ]}
          value={when}
          onChange={(event) => onField(timingFields.when, event.currentTarget.value)}
        />
      )}
      {hasTime && when === 'at' && (
        <Moment
          label={i18n.t('Time')}
          name={timingFields.at}
          fields={fields}
          isWrong={fault === 'at'}
          onField={onField}
        />
      )}
      {((hasLimit && limit !== '') || when !== '') && (
        <p className={classes.note}>
          {i18n.t(
            'Runs in the console of an admin in your team or by a watcher (gatehouse watch), late if neither is running.',
          )}
        </p>
      )}
    </div>
  );
}

function durationOf(steps: readonly Action[]): string {
  const [suspends, locks] = ['suspend-user', 'lock-user'].map((id) => steps.some((step) => step.id === id));
  if (suspends && locks) return i18n.t('Duration of suspension and lock');
  return locks ? i18n.t('Duration of lock') : i18n.t('Duration of suspension');
}

type MomentProps = {
  label: string;
  name: string;
  fields: Answers['fields'];
  isWrong: boolean;
  onField: (name: string, value: string) => void;
};

const Moment = ({ label, name, fields, isWrong, onField }: MomentProps) => (
  <TextInput
    size="xs"
    type="datetime-local"
    max="9999-12-31T23:59"
    label={label}
    error={isWrong && i18n.t('Enter a future time.')}
    value={String(fields[name] ?? '')}
    onChange={(event) => onField(name, event.currentTarget.value)}
  />
);
