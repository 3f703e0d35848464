import { i18n } from '@lingui/core';
import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Severity } from '../../../../shared/team/entries.ts';
import { severities } from '../../../../shared/team/entries.ts';
import {
  canSuspend,
  type Grouping,
  groupings,
  maxSuspendDays,
  type Rule,
} from '../../../../shared/team/rules.ts';
import type { KeyedWordList } from '../../../../shared/team/word-lists.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { severityName } from '../../../team/case-words.ts';
import policyClasses from '../policies/Policies.module.css';
import { rangeProblem } from '../range-problem.ts';
import classes from './Rules.module.css';
import { ruleName } from './rule-names.ts';
import { groupingName, watchNote } from './rule-words.ts';

export const emptyRule: Rule = {
  name: '',
  on: false,
  when: { reports: 3, reporters: 3, hours: 24 },
  effects: { severity: 'high' },
};

type Props = {
  rule: Rule;
  isNew: boolean;
  lists: readonly KeyedWordList[];
  onSave: (rule: Rule) => void;
  onCancel: () => void;
};

/** Edits a rule. A new one is off. */
export function RuleForm({ rule, isNew, lists, onSave, onCancel }: Props) {
  const [name, setName] = useState(rule.name);
  const [reports, setReports] = useState(String(rule.when.reports ?? 1));
  const [reporters, setReporters] = useState(String(rule.when.reporters ?? 1));
  const [same, setSame] = useState<Grouping>(rule.when.same ?? 'case');
  const [hours, setHours] = useState(String(rule.when.hours ?? ''));
  const [isAccurate, setAccurate] = useState(rule.when.accurate === true);
  const [words, setWords] = useState<readonly string[]>(rule.when.words ?? []);
  const [days, setDays] = useState(String(rule.when.account_days ?? ''));
  const [severity, setSeverity] = useState<Severity | ''>(rule.effects.severity ?? '');
  const [quarantine, setQuarantine] = useState(rule.effects.quarantine === true);
  const [suspend, setSuspend] = useState(rule.effects.suspend === true);
  const [wasSent, setSent] = useState(false);

  const isSingle = reports.trim() === '1' && reporters.trim() === '1';
  const content: Rule = {
    name: name.trim(),
    on: rule.on,
    when: {
      reports: Number(reports),
      reporters: Number(reporters),
      ...(!isSingle && { same }),
      ...(!isSingle && hours.trim() !== '' && { hours: Number(hours) }),
      ...(isAccurate && { accurate: true }),
      ...(words.length > 0 && { words: [...words] }),
      ...(days.trim() !== '' && { account_days: Number(days) }),
    },
    effects: {
      ...(severity && { severity }),
      ...(quarantine && { quarantine: true }),
      ...(suspend && { suspend: true }),
    },
  };
  const problems = {
    name: content.name === '' ? i18n.t('Required') : '',
    reports: rangeProblem(reports, 1, 1000),
    reporters: rangeProblem(reporters, 1, 1000),
    hours: hours.trim() === '' || isSingle ? '' : rangeProblem(hours, 1, 8760),
    days: days.trim() === '' ? '' : rangeProblem(days, 1, 365),
    effects:
      (Object.keys(content.effects).length === 0 && i18n.t('Choose an effect.')) ||
      (suspend &&
        !canSuspend(content) &&
        i18n.t('Only new accounts can be suspended: enter an account age of up to {days} days.', {
          days: maxSuspendDays,
        })) ||
      '',
  };
  const problem = (which: keyof typeof problems) => (wasSent && problems[which]) || undefined;
  function save() {
    setSent(true);
    if (!Object.values(problems).some(Boolean)) onSave(content);
  }

  return (
    <ConfirmForm
      label={isNew ? i18n.t('Create rule') : i18n.t('Save rule')}
      failure={undefined}
      onSubmit={save}
      onCancel={onCancel}
    >
      <TextInput
        data-autofocus
        label={i18n.t('Name')}
        maxLength={100}
        error={problem('name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Group legend={i18n.t('Conditions')} note={i18n.t('The rule applies if all of them are met.')}>
        <div className={classes.line}>
          <TextInput
            label={i18n.t('Reports')}
            inputMode="numeric"
            error={problem('reports')}
            value={reports}
            onChange={(event) => setReports(event.currentTarget.value)}
          />
          <TextInput
            label={i18n.t('Different reporters')}
            inputMode="numeric"
            error={problem('reporters')}
            value={reporters}
            onChange={(event) => setReporters(event.currentTarget.value)}
          />
          {!isSingle && (
            <>
              <NativeSelect
                size="xs"
                label={i18n.t('On the same')}
                data={groupings.map((value) => ({ value, label: groupingName(value) }))}
                value={same}
                onChange={(event) => setSame(event.currentTarget.value as Grouping)}
              />
              <TextInput
                label={i18n.t('Within hours')}
                placeholder={i18n.t('No limit')}
                inputMode="numeric"
                error={problem('hours')}
                value={hours}
                onChange={(event) => setHours(event.currentTarget.value)}
              />
            </>
          )}
        </div>
        <Checkbox
          size="xs"
          label={i18n.t('Accurate reporters only')}
          description={i18n.t('Counts reporters with decided reports, at least half of them upheld.')}
          checked={isAccurate}
          onChange={(event) => setAccurate(event.currentTarget.checked)}
        />
        <Checkbox.Group
          size="xs"
          label={i18n.t('Words in the reason or message')}
          description={i18n.t('None: any report counts.')}
          value={[...words]}
          onChange={setWords}
        >
          <div className={classes.checks}>
            {lists.map((list) => (
              <Checkbox size="xs" key={list.key} value={list.key} label={<bdi>{ruleName(list)}</bdi>} />
            ))}
          </div>
        </Checkbox.Group>
        <TextInput
          label={i18n.t('Account younger than (days)')}
          description={i18n.t('Local accounts only. Empty for any age.')}
          inputMode="numeric"
          error={problem('days')}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      </Group>
      <Group legend={i18n.t('Effects')} problem={problem('effects')}>
        <NativeSelect
          size="xs"
          label={i18n.t('Severity')}
          data={[
            { value: '', label: i18n.t('Unchanged') },
            ...severities.map((value) => ({ value, label: severityName(value) })),
          ]}
          value={severity}
          onChange={(event) => setSeverity(event.currentTarget.value as Severity | '')}
        />
        <Checkbox
          size="xs"
          label={i18n.t('Quarantine reported media')}
          checked={quarantine}
          onChange={(event) => setQuarantine(event.currentTarget.checked)}
        />
        <Checkbox
          size="xs"
          label={i18n.t('Suspend the account')}
          checked={suspend}
          onChange={(event) => setSuspend(event.currentTarget.checked)}
        />
        {(quarantine || suspend) && <p className={policyClasses.note}>{watchNote()}</p>}
      </Group>
    </ConfirmForm>
  );
}

type GroupProps = { legend: string; note?: string; problem?: string | undefined; children: ReactNode };

const Group = ({ legend, note, problem, children }: GroupProps) => (
  <fieldset className={policyClasses.group}>
    <legend className={policyClasses.legend}>{legend}</legend>
    {note && <p className={policyClasses.note}>{note}</p>}
    {children}
    {problem && (
      <p className={policyClasses.problem} role="alert">
        {problem}
      </p>
    )}
  </fieldset>
);
