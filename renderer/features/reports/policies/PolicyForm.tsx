import { i18n } from '@lingui/core';
import { ActionIcon, Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { type Severity, severities } from '../../../../shared/team/entries.ts';
import { ladderActions, maxPolicyText, maxTemplate, type Policy } from '../../../../shared/team/policies.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { severityName } from '../../../team/case-words.ts';
import { ladderActionName } from '../../../team/policy-words.ts';
import { rangeProblem } from '../range-problem.ts';
import classes from './Policies.module.css';

export const emptyPolicy: Policy = {
  name: '',
  text: '',
  severity: 'medium',
  weight: 1,
  expires_days: 180,
  ladder: [],
  templates: {},
};

type Rung = { id: number; strikes: string; action: string; days: string };
type Template = { id: number; language: string; text: string };

type Props = { policy: Policy; isNew: boolean; onSave: (policy: Policy) => void; onCancel: () => void };

let lastId = 0;

/** Edits a policy. */
export function PolicyForm({ policy, isNew, onSave, onCancel }: Props) {
  const [name, setName] = useState(policy.name);
  const [text, setText] = useState(policy.text);
  const [severity, setSeverity] = useState<Severity>(policy.severity);
  const [weight, setWeight] = useState(String(policy.weight));
  const [expires, setExpires] = useState(String(policy.expires_days ?? ''));
  const [isDraft, setDraft] = useState(policy.draft === true);
  const [rungs, setRungs] = useState<Rung[]>(() =>
    policy.ladder.map(({ strikes, action, days }) => ({
      id: ++lastId,
      strikes: String(strikes),
      action,
      days: String(days ?? ''),
    })),
  );
  const [templates, setTemplates] = useState<Template[]>(() =>
    Object.entries(policy.templates).map(([language, text]) => ({ id: ++lastId, language, text })),
  );
  const [wasSent, setSent] = useState(false);

  const changeRung = (id: number, change: Partial<Rung>) =>
    setRungs(rungs.map((rung) => (rung.id === id ? { ...rung, ...change } : rung)));
  const changeTemplate = (id: number, change: Partial<Template>) =>
    setTemplates(templates.map((each) => (each.id === id ? { ...each, ...change } : each)));

  const kept = templates.filter((each) => each.text.trim() !== '');
  const languages = kept.map(({ language }) => language.trim());
  const problems = {
    name: name.trim() === '' ? i18n.t('Required') : '',
    weight: rangeProblem(weight, 0, 100),
    expires: expires.trim() === '' ? '' : rangeProblem(expires, 1, 3650),
    rungs: rungs.some(
      ({ strikes, days }) => rangeProblem(strikes, 1, 1000) || (days.trim() && rangeProblem(days, 1, 3650)),
    )
      ? i18n.t('Enter whole numbers; days can stay empty.')
      : '',
    templates:
      languages.some((language) => !/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language)) ||
      new Set(languages).size < languages.length
        ? i18n.t('Enter each language once, such as “en” or “de”.')
        : '',
  };

  function save() {
    setSent(true);
    if (Object.values(problems).some(Boolean)) return;
    onSave({
      name: name.trim(),
      text: text.trim(),
      severity,
      weight: Number(weight),
      expires_days: expires.trim() === '' ? null : Number(expires),
      ladder: rungs
        .map(({ strikes, action, days }) => ({
          strikes: Number(strikes),
          action,
          ...(days.trim() !== '' && { days: Number(days) }),
        }))
        .sort((one, other) => one.strikes - other.strikes),
      templates: Object.fromEntries(kept.map(({ language, text }) => [language.trim(), text.trim()])),
      draft: isDraft,
    });
  }
  const problem = (which: keyof typeof problems) => (wasSent && problems[which]) || undefined;

  return (
    <ConfirmForm
      label={isNew ? i18n.t('Create policy') : i18n.t('Save policy')}
      failure={undefined}
      multiline
      onSubmit={save}
      onCancel={onCancel}
    >
      <div className={classes.pair}>
        <TextInput
          data-autofocus
          label={i18n.t('Name')}
          maxLength={100}
          error={problem('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          label={i18n.t('Severity')}
          data={severities.map((value) => ({ value, label: severityName(value) }))}
          value={severity}
          onChange={(event) => setSeverity(event.currentTarget.value as Severity)}
        />
      </div>
      <Textarea
        label={i18n.t('Rule')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={maxPolicyText}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={classes.pair}>
        <TextInput
          label={i18n.t('Strikes per decision')}
          description={i18n.t('0 for none')}
          inputMode="numeric"
          error={problem('weight')}
          value={weight}
          onChange={(event) => setWeight(event.currentTarget.value)}
        />
        <TextInput
          label={i18n.t('Strikes expire after (days)')}
          description={i18n.t('Empty for never')}
          inputMode="numeric"
          error={problem('expires')}
          value={expires}
          onChange={(event) => setExpires(event.currentTarget.value)}
        />
      </div>
      <Group
        legend={i18n.t('Recommended actions')}
        note={i18n.t('Shown to moderators by number of active strikes. Nothing happens automatically.')}
        problem={problem('rungs')}
        add={i18n.t('Add recommendation')}
        onAdd={() =>
          setRungs([
            ...rungs,
            { id: ++lastId, strikes: String(rungs.length + 1), action: 'suspend-user', days: '' },
          ])
        }
      >
        {rungs.map(({ id, strikes, action, days }) => (
          <div key={id} className={classes.rung}>
            <TextInput
              label={i18n.t('From strikes')}
              inputMode="numeric"
              value={strikes}
              onChange={(event) => changeRung(id, { strikes: event.currentTarget.value })}
            />
            <NativeSelect
              size="xs"
              label={i18n.t('Action')}
              data={[...new Set([...ladderActions, action])].map((value) => ({
                value,
                label: ladderActionName(value),
              }))}
              value={action}
              onChange={(event) => changeRung(id, { action: event.currentTarget.value })}
            />
            <TextInput
              label={i18n.t('Days')}
              placeholder={i18n.t('No limit')}
              inputMode="numeric"
              value={days}
              onChange={(event) => changeRung(id, { days: event.currentTarget.value })}
            />
            <RemoveButton
              label={i18n.t('Remove recommendation')}
              onClick={() => setRungs(rungs.filter((rung) => rung.id !== id))}
            />
          </div>
        ))}
      </Group>
      <Group
        legend={i18n.t('Message templates')}
        note={i18n.t('{places} are replaced by their values.', {
          places: '{user} {reason} {server} {moderator}',
        })}
        problem={problem('templates')}
        add={i18n.t('Add language')}
        onAdd={() =>
          setTemplates([
            ...templates,
            { id: ++lastId, language: templates.length === 0 ? i18n.locale : '', text: '' },
          ])
        }
      >
        {templates.map(({ id, language, text }) => (
          <div key={id} className={classes.template}>
            <TextInput
              aria-label={i18n.t('Language')}
              placeholder="en"
              maxLength={20}
              value={language}
              onChange={(event) => changeTemplate(id, { language: event.currentTarget.value })}
            />
            <Textarea
              aria-label={i18n.t('Message')}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={maxTemplate}
              value={text}
              onChange={(event) => changeTemplate(id, { text: event.currentTarget.value })}
            />
            <RemoveButton
              label={i18n.t('Remove template')}
              onClick={() => setTemplates(templates.filter((each) => each.id !== id))}
            />
          </div>
        ))}
      </Group>
      <Checkbox
        size="xs"
        label={i18n.t('Draft')}
        description={i18n.t('Moderators can choose the policy once it is no longer a draft.')}
        checked={isDraft}
        onChange={(event) => setDraft(event.currentTarget.checked)}
      />
    </ConfirmForm>
  );
}

type GroupProps = {
  legend: string;
  note: string;
  problem: string | undefined;
  add: string;
  onAdd: () => void;
  children: ReactNode;
};

const Group = ({ legend, note, problem, add, onAdd, children }: GroupProps) => (
  <fieldset className={classes.group}>
    <legend className={classes.legend}>{legend}</legend>
    <p className={classes.note}>{note}</p>
    {children}
    {problem && (
      <p className={classes.problem} role="alert">
        {problem}
      </p>
    )}
    <div>
      <Button
        variant="default"
        size="compact-xs"
        leftSection={<IconPlus size={13} aria-hidden />}
        onClick={onAdd}
      >
        {add}
      </Button>
    </div>
  </fieldset>
);

const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} title={label} onClick={onClick}>
    <IconTrash size={14} stroke={1.7} />
  </ActionIcon>
);
