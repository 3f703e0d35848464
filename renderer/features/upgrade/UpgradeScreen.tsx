import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCircleCheck, IconFilePlus, IconQuestionMark } from '@tabler/icons-react';
import { startTransition, useCallback, useMemo, useRef, useState } from 'react';
import type { Finding, UpgradePlan } from '../../../shared/api/upgrade-plan.ts';
import { newestRelease } from '../../../shared/upgrade/changes/changes.ts';
import { planAsMarkdown } from '../../../shared/upgrade/markdown.ts';
import { planTitle } from '../../../shared/upgrade/summary.ts';
import { formatVersion } from '../../../shared/upgrade/version.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { useFileDrop } from '../../components/file/file-drop.ts';
import { FailureMessage, LoadingNote, StateMessage } from '../../components/LoadStates.tsx';
import { number } from '../../words/format.ts';
import { CheckResult } from './CheckResult.tsx';
import { ConfigurationSection } from './ConfigurationSection.tsx';
import { type ConfigurationFile, formatPlace, mergeFiles, readFiles } from './configuration-files.ts';
import { EmptyPlan } from './EmptyPlan.tsx';
import { PlanHeading } from './PlanHeading.tsx';
import { PlanSectionView } from './PlanSectionView.tsx';
import type { PlanSection } from './plan-sections.ts';
import classes from './UpgradeScreen.module.css';
import { useUpgradeCommands } from './upgrade-commands.tsx';
import { nextSection, useChecklist } from './use-checklist.ts';
import { useServerCheck } from './use-server-check.ts';
import { type PlanModel, useUpgradePlan } from './use-upgrade-plan.ts';
import { VersionStrip } from './VersionStrip.tsx';

const noWarnings: readonly string[] = [];

/** Renders an upgrade plan as a checklist. */
export function UpgradeScreen() {
  const [files, setFiles] = useState<readonly ConfigurationFile[]>([]);
  const configuration = useMemo(() => files.flatMap((file) => ('read' in file ? file.read : [])), [files]);
  const model = useUpgradePlan(configuration);
  const { plan, sections, done, mark, way } = model;
  const places = useMemo(() => placesByNote(plan), [plan]);

  const list = useRef<HTMLElement>(null);
  const checklist = useChecklist(list, sections, done, model.id);
  const { setOpen, completed } = checklist;
  const onOpen = useCallback((id: string, isOpen: boolean) => setOpen([id], isOpen), [setOpen]);
  const onTick = useCallback(
    (id: string, isDone: boolean) => mark(isDone ? [id] : [], isDone ? [] : [id]),
    [mark],
  );
  const check = useServerCheck(model, checklist.show);
  const { blocked, reached = 0 } = check.outcome ?? {};

  const clipboard = useClipboard({ timeout: 1500 });
  const copyMarkdown = () => plan && clipboard.copy(planAsMarkdown(plan, i18n.t));

  const picker = useRef<HTMLInputElement>(null);
  const pickFiles = () => picker.current?.click();
  const [isReading, setReading] = useState(false);
  async function addFiles(added: File[]) {
    if (added.length === 0) return;
    setReading(true);
    try {
      const read = await readFiles(added);
      startTransition(() => setFiles((given) => mergeFiles(given, read)));
      list.current?.scrollTo({ top: 0 });
    } catch (error) {
      setFiles(() => {
        throw error;
      });
    } finally {
      setReading(false);
    }
  }
  const isDropping = useFileDrop((dropped) => void addFiles(dropped));

  const fromField = useRef<HTMLInputElement>(null);
  const toField = useRef<HTMLInputElement>(null);
  const edit = (field: HTMLInputElement | null) => {
    field?.focus();
    field?.select();
  };

  // Versions before the running one are done, ticked or not.
  const next = nextSection(sections.slice(reached), done) ?? nextSection(sections, done);
  function goToNext() {
    const finding = plan?.config.find(({ note }) => !done.has(note));
    if (finding) return checklist.focusFinding(finding.note);
    const open = next?.items.filter(({ id }) => !done.has(id)) ?? [];
    const item = open.find(({ what }) => what === 'step') ?? open[0];
    if (next && item) checklist.focusItem(next.id, item.id);
  }
  const allOpen = sections.every(({ id }) => checklist.open.has(id));

  useUpgradeCommands({
    hasList: model.work.length > 0,
    way,
    replan: model.replan,
    allOpen,
    checkNow: check.run,
    copyMarkdown,
    addConfiguration: pickFiles,
    removeConfiguration: files.length > 0 ? () => setFiles([]) : undefined,
    focusFrom: () => edit(fromField.current),
    focusTo: () => edit(toField.current),
    move: checklist.move,
    tick: () => checklist.tickFocused() || goToNext(),
    nextOpen: goToNext,
    toggleAll: () =>
      setOpen(
        sections.map(({ id }) => id),
        !allOpen,
      ),
    nextWay: model.nextWay,
    isSynapse: model.dialect === 'matrix',
    toggleDialect: model.toggleDialect,
  });

  const doneStops = useMemo(() => {
    const isDone = ({ id }: { id: string }) => done.has(id);
    const isOver = ({ steps }: PlanSection, index: number) => index <= reached || steps.every(isDone);
    return new Set(sections.filter((each, index) => each.stop && isOver(each, index)).map(({ id }) => id));
  }, [sections, done, reached]);

  return (
    <div className={classes.screen}>
      <PlanHeading
        model={model}
        check={check}
        clipboard={clipboard}
        onCopy={copyMarkdown}
        fromField={fromField}
        toField={toField}
      />
      <input
        ref={picker}
        type="file"
        multiple
        accept=".yaml,.yml"
        className={classes.picker}
        aria-label={i18n.t('Configuration files')}
        tabIndex={-1}
        onChange={(event) => {
          void addFiles([...(event.currentTarget.files ?? [])]);
          // Allows choosing the same file again.
          event.currentTarget.value = '';
        }}
      />
      <CheckResult model={model} check={check} />
      {plan?.direction === 'upgrade' && (
        <VersionStrip
          key={plan.from}
          plan={plan}
          running={model.running}
          doneStops={doneStops}
          nextStop={sections.find(({ stop, id }) => stop && !doneStops.has(id))?.id}
          onOpen={checklist.show}
        />
      )}
      {!plan && (
        <div className={classes.rest}>
          <NoVersions model={model} />
        </div>
      )}
      {plan && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        <section ref={list} className={classes.rest} tabIndex={0} aria-label={i18n.t('Plan')}>
          {files.length > 0 ? (
            <ConfigurationSection
              files={files}
              required={plan.config}
              hints={plan.config_hints}
              ignored={plan.config_ignored ?? []}
              unknown={plan.config_unknown}
              stops={plan.stops}
              done={done}
              onTick={onTick}
              onIgnore={model.ignore}
              onAdd={pickFiles}
              isReading={isReading}
              onRemove={(name) => setFiles((given) => given.filter((file) => file.name !== name))}
            />
          ) : (
            plan.direction !== 'downgrade' &&
            sections.length > 0 && <ConfigurationHint onPick={pickFiles} isReading={isReading} />
          )}
          {completed > 0 && (
            <ButtonWithIcon
              variant="subtle"
              size="compact-xs"
              className={classes.completed}
              icon={IconCircleCheck}
              onClick={() => checklist.showCompleted()}
            >
              {i18n.t('Show {count, plural, one {# completed section} other {# completed sections}}', {
                count: completed,
              })}
            </ButtonWithIcon>
          )}
          {sections.map(
            (section, index) =>
              index >= completed && (
                <PlanSectionView
                  key={section.id}
                  section={section}
                  open={checklist.open.has(section.id)}
                  done={done}
                  blocked={blocked !== undefined && index > reached}
                  reason={index === reached + 1 ? blocked : undefined}
                  warnings={section.id === 'prepare' ? plan.warnings : noWarnings}
                  places={places}
                  onOpen={onOpen}
                  onTick={onTick}
                />
              ),
          )}
          {sections.length === 0 && (
            <EmptyPlan
              plan={plan}
              title={planTitle(plan, i18n.t)}
              isNewest={plan.from === formatVersion(newestRelease)}
              onTarget={model.setTo}
            />
          )}
        </section>
      )}
      {isDropping && (
        <div className={classes.drop}>
          <IconFilePlus size={26} stroke={1.5} aria-hidden />
          {i18n.t('Drop to read files on this page')}
        </div>
      )}
    </div>
  );
}

function ConfigurationHint({ onPick, isReading }: { onPick: () => void; isReading: boolean }) {
  return (
    <p className={classes.invitation}>
      <IconFilePlus size={15} stroke={1.6} aria-hidden />
      <span>
        {i18n.t('Drop homeserver.yaml and worker files to see relevant notes first. They stay on this page.')}
      </span>
      <Button variant="subtle" size="compact-xs" onClick={onPick} loading={isReading}>
        {i18n.t('Choose files…')}
      </Button>
    </p>
  );
}

/** Returns each note's places in the configuration: `homeserver.yaml:12, worker.yaml:3`. */
function placesByNote(plan: UpgradePlan | undefined): ReadonlyMap<string, string> {
  const findings: Finding[] = plan ? [...plan.config, ...plan.config_hints] : [];
  const byNote = Map.groupBy(findings, ({ note }) => note);
  return new Map(
    [...byNote].map(([note, found]) => [note, joinPlaces([...new Set(found.map(formatPlace))])]),
  );
}

/** Places listed beside a note; the configuration section has all of them. */
const maxPlaces = 10;

function joinPlaces(places: readonly string[]): string {
  const more = places.length - maxPlaces;
  const first = places.slice(0, maxPlaces);
  return [...first, ...(more > 0 ? [i18n.t('and {count} more', { count: number(more) })] : [])].join(', ');
}

/** Replaces the plan until both versions are known. */
function NoVersions({ model }: { model: PlanModel }) {
  const { from, to, versionQuery } = model;
  if (from?.error || to.error) {
    return (
      <StateMessage
        icon={<IconQuestionMark size={24} stroke={1.5} />}
        title={i18n.t('Choose versions')}
        description={i18n.t('Enter two valid versions above.')}
      />
    );
  }
  if (versionQuery.isPending) return <LoadingNote text={i18n.t('Loading server version…')} />;
  return <FailureMessage title={i18n.t("Couldn't load server version")} query={versionQuery} />;
}
