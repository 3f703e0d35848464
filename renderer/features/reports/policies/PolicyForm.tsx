import { i18n } from '@lingui/core';
import { ActionIcon, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type Severity, severities } from '../../../../shared/team/entries.ts';
import { ladderActions, maxPolicyText, maxTemplate, type Policy } from '../../../../shared/team/policies.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { newId } from '../../../new-id.ts';
import { severityName } from '../../../team/case-words.ts';
import { ladderActionName } from '../../../team/policy-words.ts';
import {
  type DocumentForm,
  FieldGroup,
  NameField,
  NumberField,
  rangeProblem,
  useProblems,
} from '../DocumentEditor.tsx';
import classes from '../Documents.module.css';

export const emptyPolicy: Policy = {
  name: '',
  text: '',
  severity: 'medium',
  weight: 1,
  expires_days: 180,
  ladder: [],
  templates: {},
};

type Rung = { id: string; strikes: string; action: string; days: string };
type Template = { id: string; language: string; text: string };

/** Edits a policy. */
export function PolicyForm({ document: policy, label, onSave, onCancel }: DocumentForm<Policy>) {
  const [name, setName] = useState(policy.name);
  const [text, setText] = useState(policy.text);
  const [severity, setSeverity] = useState<Severity>(policy.severity);
  const [weight, setWeight] = useState(String(policy.weight));
  const [expires, setExpires] = useState(String(policy.expires_days ?? ''));
  const [isDraft, setDraft] = useState(policy.draft === true);
  const [rungs, setRungs] = useState<Rung[]>(() =>
    policy.ladder.map(({ strikes, action, days }) => ({
      id: newId(),
      strikes: String(strikes),
      action,
      days: String(days ?? ''),
    })),
  );
  const [templates, setTemplates] = useState<Template[]>(() =>
    Object.entries(policy.templates).map(([language, text]) => ({ id: newId(), language, text })),
  );

  const changeRung = (id: string, change: Partial<Rung>) =>
    setRungs(rungs.map((rung) => (rung.id === id ? { ...rung, ...change } : rung)));
  const changeTemplate = (id: string, change: Partial<Template>) =>
    setTemplates(templates.map((each) => (each.id === id ? { ...each, ...change } : each)));

  const kept = templates.filter((each) => each.text.trim() !== '');
  const languages = kept.map(({ language }) => language.trim());
  const { problem, ifValid } = useProblems({
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
  });

  const save = () =>
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

  return (
    <ConfirmForm label={label} multiline onSubmit={ifValid(save)} onCancel={onCancel}>
      <div className={classes.pair}>
        <NameField error={problem('name')} value={name} onChange={setName} />
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
        <NumberField
          label={i18n.t('Strikes per decision')}
          description={i18n.t('0 for none')}
          error={problem('weight')}
          value={weight}
          onChange={setWeight}
        />
        <NumberField
          label={i18n.t('Strikes expire after (days)')}
          description={i18n.t('Empty for never')}
          error={problem('expires')}
          value={expires}
          onChange={setExpires}
        />
      </div>
      <FieldGroup
        legend={i18n.t('Recommended actions')}
        note={i18n.t('Shown to moderators by number of active strikes. Nothing happens automatically.')}
        problem={problem('rungs')}
      >
        {rungs.map(({ id, strikes, action, days }) => (
          <div key={id} className={classes.rung}>
            <NumberField
              label={i18n.t('From strikes')}
              value={strikes}
              onChange={(strikes) => changeRung(id, { strikes })}
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
            <NumberField
              label={i18n.t('Days')}
              placeholder={i18n.t('No limit')}
              value={days}
              onChange={(days) => changeRung(id, { days })}
            />
            <RemoveButton
              label={i18n.t('Remove recommendation')}
              onClick={() => setRungs(rungs.filter((rung) => rung.id !== id))}
            />
          </div>
        ))}
        <AddButton
          label={i18n.t('Add recommendation')}
          onClick={() =>
            setRungs([
              ...rungs,
              { id: newId(), strikes: String(rungs.length + 1), action: 'suspend-user', days: '' },
            ])
          }
        />
      </FieldGroup>
      <FieldGroup
        legend={i18n.t('Message templates')}
        note={i18n.t('{places} are replaced by their values.', {
          places: '{user} {reason} {server} {moderator}',
        })}
        problem={problem('templates')}
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
        <AddButton
          label={i18n.t('Add language')}
          onClick={() =>
            setTemplates([
              ...templates,
              { id: newId(), language: templates.length === 0 ? i18n.locale : '', text: '' },
            ])
          }
        />
      </FieldGroup>
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

const AddButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <div>
    <ButtonWithIcon variant="default" size="compact-xs" icon={IconPlus} onClick={onClick}>
      {label}
    </ButtonWithIcon>
  </div>
);

const RemoveButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="subtle" color="gray" size={30} aria-label={label} title={label} onClick={onClick}>
    <IconTrash size={14} stroke={1.7} />
  </ActionIcon>
);
