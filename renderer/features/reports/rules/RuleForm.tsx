import { i18n } from '@lingui/core';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { Severity } from '../../../../shared/team/entries.ts';
import { severities } from '../../../../shared/team/entries.ts';
import {
  canSuspend,
  type Grouping,
  groupings,
  maxSuspendDays,
  type Rule,
} from '../../../../shared/team/rules.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { severityName } from '../../../team/case-words.ts';
import { ruleName } from '../../../team/rule-names.ts';
import {
  type DocumentForm,
  FieldGroup,
  NameField,
  NumberField,
  rangeProblem,
  useProblems,
} from '../DocumentEditor.tsx';
import documentClasses from '../Documents.module.css';
import classes from './Rules.module.css';
import { useTeamRules } from './rule-facts.ts';
import { groupingName, watchNote } from './rule-words.ts';

export const emptyRule: Rule = {
  name: '',
  on: false,
  when: { reports: 3, reporters: 3, hours: 24 },
  effects: { severity: 'high' },
};

/** Edits a rule. A new one is off. */
export function RuleForm({ document: rule, label, onSave, onCancel }: DocumentForm<Rule>) {
  const { lists } = useTeamRules();
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
  const { problem, ifValid } = useProblems({
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
  });

  return (
    <ConfirmForm label={label} onSubmit={ifValid(() => onSave(content))} onCancel={onCancel}>
      <NameField error={problem('name')} value={name} onChange={setName} />
      <FieldGroup legend={i18n.t('Conditions')} note={i18n.t('The rule applies if all of them are met.')}>
        <div className={classes.line}>
          <NumberField
            label={i18n.t('Reports')}
            error={problem('reports')}
            value={reports}
            onChange={setReports}
          />
          <NumberField
            label={i18n.t('Different reporters')}
            error={problem('reporters')}
            value={reporters}
            onChange={setReporters}
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
              <NumberField
                label={i18n.t('Within hours')}
                placeholder={i18n.t('No limit')}
                error={problem('hours')}
                value={hours}
                onChange={setHours}
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
          label={i18n.t('Word and file lists')}
          description={i18n.t('Searched in reason and message. None: any report counts.')}
          value={[...words]}
          onChange={setWords}
        >
          <div className={classes.checks}>
            {lists.map((list) => (
              <Checkbox size="xs" key={list.key} value={list.key} label={<bdi>{ruleName(list)}</bdi>} />
            ))}
          </div>
        </Checkbox.Group>
        <NumberField
          label={i18n.t('Account younger than (days)')}
          description={i18n.t('Local accounts only. Empty for any age.')}
          error={problem('days')}
          value={days}
          onChange={setDays}
        />
      </FieldGroup>
      <FieldGroup legend={i18n.t('Effects')} problem={problem('effects')}>
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
        {(quarantine || suspend) && <p className={documentClasses.note}>{watchNote()}</p>}
      </FieldGroup>
    </ConfirmForm>
  );
}
