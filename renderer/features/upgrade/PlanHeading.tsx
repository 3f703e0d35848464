import { i18n } from '@lingui/core';
import { Button, SegmentedControl, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconMarkdown, IconRefresh } from '@tabler/icons-react';
import { type Ref, type RefObject, useId } from 'react';
import { changes } from '../../../shared/upgrade/changes/changes.ts';
import { installMethods, type Way } from '../../../shared/upgrade/choices.ts';
import { methodTitles } from '../../../shared/upgrade/install-methods.ts';
import { rollbackTable } from '../../../shared/upgrade/rollback.ts';
import { planTitle } from '../../../shared/upgrade/summary.ts';
import { compareVersions, formatVersion } from '../../../shared/upgrade/version.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { ChoiceField } from '../../components/filters/FilterFields.tsx';
import { SuggestField } from '../../components/filters/SuggestField.tsx';
import { StaleNote } from '../../components/LoadStates.tsx';
import { number } from '../../words/format.ts';
import classes from './PlanHeading.module.css';
import type { VersionInput } from './requested-versions.ts';
import type { ServerCheck } from './use-server-check.ts';
import type { PlanModel } from './use-upgrade-plan.ts';

type Props = {
  model: PlanModel;
  check: ServerCheck;
  clipboard: { copied: boolean; error: Error | null };
  onCopy: () => void;
  fromField: RefObject<HTMLInputElement | null>;
  toField: RefObject<HTMLInputElement | null>;
};

/** Renders the plan's versions, progress and actions. */
export function PlanHeading({ model, check, clipboard, onCopy, fromField, toField }: Props) {
  const { plan, work, done, way, versionQuery } = model;
  const ticked = work.filter((id) => done.has(id)).length;
  return (
    <>
      <div className={classes.heading}>
        <h1 className={classes.title}>{i18n.t('Upgrade')}</h1>
        <output className={classes.summary} aria-label={i18n.t('Plan')}>
          {plan &&
            (plan.direction === 'upgrade' ? (
              [
                i18n.t('{count, plural, one {# upgrade note} other {# upgrade notes}}', {
                  count: plan.direct.notes.length,
                }),
                i18n.t('{count, plural, one {# version} other {# versions}}', { count: plan.stops.length }),
                ...(plan.config.length > 0
                  ? [
                      i18n.t('{count, plural, one {# setting} other {# settings}} to change', {
                        count: plan.config.length,
                      }),
                    ]
                  : []),
              ].join(', ')
            ) : (
              // The screen shows it where the plan would be.
              <VisuallyHidden>{planTitle(plan, i18n.t)}</VisuallyHidden>
            ))}
        </output>
        {work.length > 0 && (
          <span className={classes.progress}>
            <progress value={ticked} max={work.length} aria-label={i18n.t('Progress')} />
            {i18n.t('{ticked} of {total} done', { ticked: number(ticked), total: number(work.length) })}
          </span>
        )}
        <span className={classes.gap} />
        {versionQuery.data && versionQuery.error && (
          <StaleNote
            error={versionQuery.error}
            since={versionQuery.dataUpdatedAt}
            onRetry={versionQuery.refetch}
          />
        )}
        <Button
          variant="default"
          className={classes.button}
          leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconMarkdown size={15} stroke={1.7} />}
          onClick={onCopy}
          disabled={work.length === 0}
        >
          <span aria-live="polite">
            {clipboard.copied
              ? i18n.t('Copied')
              : clipboard.error
                ? i18n.t('Copying not allowed')
                : i18n.t('Copy as Markdown')}
          </span>
        </Button>
        <ButtonWithIcon
          className={classes.button}
          icon={IconRefresh}
          onClick={check.run}
          loading={check.isRunning}
        >
          {i18n.t('Check now')}
        </ButtonWithIcon>
      </div>
      <search className={classes.way} aria-label={i18n.t('Versions')}>
        <VersionField
          label={i18n.t('From')}
          side={model.from}
          origin={model.from || versionQuery.isPending ? i18n.t('server version') : i18n.t('enter version')}
          isTyped={model.isFromTyped}
          inputRef={fromField}
          onChange={model.setFrom}
        />
        <VersionField
          label={i18n.t('To')}
          side={model.to}
          origin={model.toDefaultLabel}
          isTyped={model.isToTyped}
          inputRef={toField}
          onChange={model.setTo}
        />
        {way && (
          <SegmentedControl
            aria-label={i18n.t('Upgrade path')}
            value={way}
            onChange={(value) => model.setWay(value as Way)}
            data={wayChoices().map(({ value, label, hint }) => ({
              value,
              label: <span title={hint}>{label}</span>,
            }))}
          />
        )}
        <ChoiceField
          label={i18n.t('Installation')}
          value={model.install}
          none={i18n.t('Any installation')}
          choices={installMethods.map((value) => ({ value, label: i18n.t(methodTitles[value]) }))}
          onChange={model.setInstall}
        />
        {model.dialect === 'vendor' && (
          <Button variant="subtle" size="compact-xs" onClick={model.toggleDialect}>
            {i18n.t("Use Synapse's API paths")}
          </Button>
        )}
      </search>
    </>
  );
}

const wayChoices = (): { value: Way; label: string; hint: string }[] => [
  {
    value: 'every',
    label: i18n.t('Step by step'),
    hint: i18n.t('Stops wherever the rollback table changes'),
  },
  {
    value: 'fewest',
    label: i18n.t('Fewest versions'),
    hint: i18n.t('As few stops as possible, each with a rollback to the one before'),
  },
  { value: 'direct', label: i18n.t('Direct'), hint: i18n.t('No intermediate versions') },
];

/** Every release in the data, newest first, as suggestions. */
const knownVersions: readonly string[] = [
  ...new Set(
    [...changes.map(({ release }) => release), ...rollbackTable.flatMap(({ first, last }) => [first, last])]
      .sort((a, b) => compareVersions(b, a))
      .map(formatVersion),
  ),
];

type VersionFieldProps = {
  label: string;
  side: VersionInput | undefined;
  /** The default's origin. */
  origin: string;
  isTyped: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (version: string | undefined) => void;
};

/** Renders one of the plan's two versions. */
function VersionField({ label, side, origin, isTyped, inputRef, onChange }: VersionFieldProps) {
  const id = useId();
  const { error } = side ?? {};
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <SuggestField
        inputRef={inputRef}
        id={id}
        className={classes.input}
        label={label}
        value={side?.text ?? ''}
        placeholder={origin}
        suggestions={knownVersions}
        maxSuggestions={60}
        isSet={isTyped}
        clearLabel={i18n.t('Reset to {origin}', { origin })}
        error={error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={onChange}
      />
      <span id={`${id}-note`} className={classes.note} role={error && 'alert'} data-error={error && true}>
        {error
          ? isTyped
            ? i18n.t('{problem}: {wayOut}.', {
                problem: i18n.t(error.problem.sentence, error.problem.values),
                wayOut: i18n.t(error.wayOut.sentence),
              })
            : i18n.t('Unreadable server version. Enter one like 1.98.0.')
          : side && (isTyped ? i18n.t('entered manually') : origin)}
      </span>
    </div>
  );
}
