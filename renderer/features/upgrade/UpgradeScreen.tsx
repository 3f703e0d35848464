import { Button, SegmentedControl } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import {
  IconArrowBackUp,
  IconCheck,
  IconCircleCheck,
  IconFilePlus,
  IconMarkdown,
  IconQuestionMark,
  IconRefresh,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { newestRelease } from '../../../shared/upgrade/changes/changes.ts';
import { planAsMarkdown } from '../../../shared/upgrade/markdown.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { planTitle } from '../../../shared/upgrade/summary.ts';
import { compareVersions, formatVersion, parseVersion } from '../../../shared/upgrade/version.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { upgradeCheckQuery } from '../../api/upgrade-check.ts';
import { FailureMessage, failureSentence } from '../../components/FailureMessage.tsx';
import { LoadingNote } from '../../components/LoadingNote.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useServer } from '../../console-context.ts';
import { CheckLine } from './CheckLine.tsx';
import { ConfigurationSection, placeOf } from './ConfigurationSection.tsx';
import { checkOutcome } from './check-outcome.ts';
import { type GivenFile, readFiles, withFiles } from './configuration-files.ts';
import { useFileDrop } from './file-drop.ts';
import { PlanSectionView } from './PlanSectionView.tsx';
import { doneIn, followedPlan, type PlanKey, planProgress } from './plan-progress.ts';
import { planSections, withoutStops } from './plan-sections.ts';
import { requestedWay } from './requested-way.ts';
import classes from './UpgradeScreen.module.css';
import { useUpgradeCommands } from './upgrade-commands.tsx';
import { isPlain, type UpgradeSearch } from './upgrade-search.ts';
import { nextSection, useChecklist } from './use-checklist.ts';
import { VersionField } from './VersionField.tsx';
import { VersionStrip } from './VersionStrip.tsx';

const noWarnings: readonly string[] = [];

/** From one version to another: what to read, where to stop, what to do; ticked off on the way. */
export function UpgradeScreen() {
  const server = useServer();
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/upgrade' });
  const address = useSearch({ from: '/server/upgrade' });
  const progress = planProgress(server.id);
  const stored = useSyncExternalStore(progress.subscribe, progress.snapshot);
  const followed = followedPlan(stored);
  const search: UpgradeSearch = isPlain(address) && followed ? keyOf(followed) : address;

  // A plan that is being followed stays the plan, whatever the server runs by now.
  const resumes = search !== address;
  useEffect(() => {
    if (resumes && followed) {
      navigate({ search: (current) => ({ ...current, ...keyOf(followed) }), replace: true });
    }
  }, [resumes, followed, navigate]);

  const versionQuery = useQuery(serverVersionQuery(server));
  const serverSays = versionQuery.data?.server_version;
  const { from, to } = requestedWay(search, serverSays);
  const running = useMemo(() => readRunning(serverSays), [serverSays]);

  const [files, setFiles] = useState<readonly GivenFile[]>([]);
  const { dialect, baseUrl } = server.connection;
  const fromText = from?.version && from.text;
  const toText = to.version && to.text;
  const planned = useMemo(() => {
    if (fromText === undefined || toText === undefined) return undefined;
    const configuration = files.flatMap((file) => ('read' in file ? file.read : []));
    return planUpgrade({ from: fromText, to: toText, dialect, baseUrl, configuration });
  }, [fromText, toText, dialect, baseUrl, files]);
  const hasWays = planned?.direction === 'upgrade' && planned.stops.length > 1;
  const isDirect = hasWays && search.way === 'direct';
  const plan = useMemo(() => (planned && isDirect ? withoutStops(planned) : planned), [planned, isDirect]);
  const sections = useMemo(() => (plan ? planSections(plan) : []), [plan]);
  const places = useMemo(() => placesByNote(plan), [plan]);

  const planKey = useMemo(
    (): PlanKey | undefined =>
      fromText === undefined || toText === undefined
        ? undefined
        : { from: fromText, to: toText, ...(isDirect && { way: 'direct' as const }) },
    [fromText, toText, isDirect],
  );
  const done = useMemo(() => new Set(planKey && doneIn(stored, planKey)), [stored, planKey]);
  const list = useRef<HTMLDivElement>(null);
  const checklist = useChecklist(list, sections, done, JSON.stringify(planKey));
  const next = nextSection(sections, done);

  const change = (changes: Partial<UpgradeSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });

  /** Without this the plan would follow the server, and its ticks would be those of another plan. */
  const pinPlan = useCallback(() => {
    if (!planKey) return;
    navigate({ search: (current) => ({ ...current, ...keyOf(planKey) }), replace: true });
  }, [planKey, navigate]);

  const onTick = useCallback(
    (id: string, isDone: boolean) => {
      if (!planKey) return;
      progress.mark(planKey, isDone ? [id] : [], isDone ? [] : [id]);
      pinPlan();
    },
    [progress, planKey, pinPlan],
  );
  const onOpen = useCallback(
    (id: string, isOpen: boolean) => checklist.setOpen([id], isOpen),
    [checklist.setOpen],
  );

  const check = useQuery(upgradeCheckQuery(server));
  const isCheckCurrent = serverSays === undefined || serverSays === check.data?.version;
  const outcome = useMemo(
    () => (plan && check.data && isCheckCurrent ? checkOutcome(plan, sections, check.data) : undefined),
    [plan, sections, check.data, isCheckCurrent],
  );

  async function checkNow() {
    const { data } = await check.refetch();
    if (!data) return;
    queryClient.setQueryData(serverVersionQuery(server).queryKey, { server_version: data.version });
    // A plan that nobody has begun goes on from wherever the server is.
    const isPinned = address.from !== undefined;
    if (!plan || !planKey || sections.length === 0 || !(isPinned || data.version === serverSays)) return;
    const found = checkOutcome(plan, sections, data);
    if (found.done.length + found.undone.length > 0) {
      progress.mark(planKey, found.done, found.undone);
      pinPlan();
    }
    if (found.next !== undefined) checklist.show(found.next);
  }

  const clipboard = useClipboard({ timeout: 1500 });
  const copyMarkdown = () => plan && clipboard.copy(planAsMarkdown(plan));

  const picker = useRef<HTMLInputElement>(null);
  async function addFiles(added: File[]) {
    if (added.length === 0) return;
    const read = await readFiles(added);
    setFiles((given) => withFiles(given, read));
    list.current?.scrollTo({ top: 0 });
  }
  const isDropping = useFileDrop((dropped) => void addFiles(dropped));

  function startAnew() {
    progress.stopFollowing();
    navigate({ search: (current) => ({ ...current, from: undefined, to: undefined, way: undefined }) });
  }
  const canStartAnew = running && fromText !== undefined && formatVersion(running) !== fromText;

  const fromField = useRef<HTMLInputElement>(null);
  const toField = useRef<HTMLInputElement>(null);
  const edit = (field: HTMLInputElement | null) => {
    field?.focus();
    field?.select();
  };
  const goToNext = () => {
    const item = next?.items.find(({ id, what }) => what === 'step' && !done.has(id));
    const any = item ?? next?.items.find(({ id }) => !done.has(id));
    if (next && any) checklist.focusItem(next.id, any.id);
  };
  const allOpen = sections.every(({ id }) => checklist.open.has(id));
  const toggleWay = () => change({ way: isDirect ? undefined : 'direct' });

  useUpgradeCommands({
    hasList: sections.length > 0,
    way: hasWays ? (isDirect ? 'direct' : 'stops') : undefined,
    startAnew: canStartAnew ? startAnew : undefined,
    allOpen,
    checkNow: () => void checkNow(),
    copyMarkdown,
    addConfiguration: () => picker.current?.click(),
    removeConfiguration: files.length > 0 ? () => setFiles([]) : undefined,
    focusFrom: () => edit(fromField.current),
    focusTo: () => edit(toField.current),
    move: checklist.move,
    tick: () => checklist.tickFocused() || goToNext(),
    nextOpen: goToNext,
    toggleAll: () =>
      checklist.setOpen(
        sections.map(({ id }) => id),
        !allOpen,
      ),
    toggleWay,
  });

  const doneStops = useMemo(
    () =>
      new Set(
        sections
          .filter(({ stop, steps }) => stop && steps.every(({ id }) => done.has(id)))
          .map(({ id }) => id),
      ),
    [sections, done],
  );
  const nextStop = sections.find(({ stop, id }) => stop && !doneStops.has(id))?.id;
  const total = sections.reduce((sum, { items }) => sum + items.length, 0);
  const ticked = sections.reduce((sum, { items }) => sum + items.filter(({ id }) => done.has(id)).length, 0);

  function checkLine() {
    const anew = canStartAnew
      ? { label: `Plan anew from v${formatVersion(running)}`, run: startAnew }
      : undefined;
    if (check.isError && !check.isFetching) {
      return (
        <CheckLine
          tone="failed"
          text={`The check failed. ${failureSentence(check.error)}`}
          action={{ label: 'Check again', run: () => void checkNow() }}
        />
      );
    }
    if (outcome && sections.length > 0) {
      return (
        <CheckLine tone={outcome.tone} text={outcome.text} checkedAt={check.dataUpdatedAt} action={anew} />
      );
    }
    if (anew && sections.length > 0) {
      const text = `This plan begins with v${fromText}; the server runs v${formatVersion(running as never)}. Check now to move the plan on.`;
      return <CheckLine tone="hint" text={text} action={anew} />;
    }
    return null;
  }

  function body() {
    if (from?.error || to.error) {
      return (
        <StateMessage
          icon={<IconQuestionMark size={24} stroke={1.5} />}
          title="From which version to which?"
          description="The plan is here as soon as both versions above can be read."
        />
      );
    }
    if (!plan) {
      if (versionQuery.isPending) {
        return (
          <div className={classes.loading}>
            <LoadingNote what="the server's version" />
          </div>
        );
      }
      return (
        <FailureMessage
          what="The server's version"
          error={versionQuery.error ?? new Error('no reply')}
          onRetry={() => versionQuery.refetch()}
          retrying={versionQuery.isFetching}
        />
      );
    }
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key
      <section ref={list} className={classes.list} tabIndex={0} aria-label="Plan">
        {files.length > 0 ? (
          <ConfigurationSection
            files={files}
            required={plan.config}
            hints={plan.config_hints}
            done={done}
            onTick={onTick}
            onAdd={() => picker.current?.click()}
            onRemove={(name) => setFiles((given) => given.filter((file) => file.name !== name))}
          />
        ) : (
          plan.direction !== 'downgrade' && (
            <p className={classes.invitation}>
              <IconFilePlus size={15} stroke={1.6} aria-hidden />
              <span>
                Drop homeserver.yaml and the workers' files here, and the notes that concern this server come
                first. They are read on this page only.
              </span>
              <Button variant="subtle" size="compact-xs" onClick={() => picker.current?.click()}>
                Choose files…
              </Button>
            </p>
          )
        )}
        {sections.map((section, index) => (
          <PlanSectionView
            key={section.id}
            section={section}
            open={checklist.open.has(section.id)}
            done={done}
            blocked={outcome?.blocked !== undefined && index > outcome.reached ? outcome.blocked : undefined}
            warnings={section.id === 'prepare' ? plan.warnings : noWarnings}
            places={places}
            onOpen={onOpen}
            onTick={onTick}
          />
        ))}
        {plan.direction === 'none' && (
          <StateMessage
            icon={<IconCircleCheck size={24} stroke={1.5} />}
            title={planTitle(plan)}
            description={
              plan.warnings.join(' ') ||
              (compareVersions(parseVersion(plan.from), newestRelease) === 0
                ? 'It is the newest release that this console knows.'
                : 'Choose another version to go to.')
            }
          />
        )}
        {plan.direction === 'downgrade' && sections.length === 0 && (
          <StateMessage
            role="alert"
            icon={<IconArrowBackUp size={24} stroke={1.5} />}
            title={planTitle(plan)}
            description={plan.direct.rollback?.text}
          >
            {plan.direct.rollback?.lowest_safe && plan.direct.rollback.lowest_safe !== plan.from && (
              <Button
                variant="default"
                onClick={() => change({ to: plan.direct.rollback?.lowest_safe ?? undefined })}
              >
                Plan the way back to v{plan.direct.rollback.lowest_safe}
              </Button>
            )}
          </StateMessage>
        )}
      </section>
    );
  }

  return (
    <div className={classes.screen}>
      <div className={classes.heading}>
        <h1 className={classes.title}>Upgrade</h1>
        <output className={classes.summary} aria-label="Plan">
          {plan && planTitle(plan)}
        </output>
        <span className={classes.gap} />
        <Button
          variant="default"
          leftSection={<IconFilePlus size={14} stroke={1.7} />}
          onClick={() => picker.current?.click()}
        >
          Add configuration
        </Button>
        <Button
          variant="default"
          leftSection={clipboard.copied ? <IconCheck size={14} /> : <IconMarkdown size={15} stroke={1.7} />}
          onClick={copyMarkdown}
          disabled={sections.length === 0}
        >
          <span role="status">
            {clipboard.copied ? 'Copied' : clipboard.error ? 'Copying is not allowed' : 'Copy as Markdown'}
          </span>
        </Button>
        <Button
          leftSection={<IconRefresh size={14} stroke={1.7} />}
          onClick={() => void checkNow()}
          loading={check.isFetching}
        >
          Check now
        </Button>
        <input
          ref={picker}
          type="file"
          multiple
          accept=".yaml,.yml"
          className={classes.picker}
          aria-label="Configuration files"
          tabIndex={-1}
          onChange={(event) => {
            void addFiles([...(event.currentTarget.files ?? [])]);
            // So that the same file can be chosen again after it was mended.
            event.currentTarget.value = '';
          }}
        />
      </div>
      <search className={classes.way} aria-label="Versions">
        <VersionField
          label="From"
          side={from}
          origin={versionQuery.isError && !serverSays ? 'type what runs' : 'the server'}
          isTyped={search.from !== undefined}
          inputRef={fromField}
          onChange={(version) => {
            if (version === undefined) progress.stopFollowing();
            change({ from: version });
          }}
        />
        <VersionField
          label="To"
          side={to}
          origin="the newest known"
          isTyped={search.to !== undefined}
          inputRef={toField}
          onChange={(version) => change({ to: version })}
        />
        {hasWays && (
          <SegmentedControl
            aria-label="Way"
            value={isDirect ? 'direct' : 'stops'}
            onChange={(value) => value !== (isDirect ? 'direct' : 'stops') && toggleWay()}
            data={[
              { value: 'stops', label: 'Keep rollback possible' },
              { value: 'direct', label: 'Direct' },
            ]}
          />
        )}
        <span className={classes.gap} />
        {total > 0 && (
          <div className={classes.progress}>
            <span>
              {ticked} of {total} done
            </span>
            <progress value={ticked} max={total} aria-label="Progress" />
          </div>
        )}
      </search>
      {checkLine()}
      {plan?.direction === 'upgrade' && (
        <VersionStrip
          plan={plan}
          running={running}
          doneStops={doneStops}
          nextStop={nextStop}
          onOpen={checklist.show}
        />
      )}
      {body()}
      {isDropping && (
        <div className={classes.drop}>
          <IconFilePlus size={26} stroke={1.5} aria-hidden />
          Let go to read these files on this page
        </div>
      )}
    </div>
  );
}

/** What of a plan stands in the address, and nothing else. */
const keyOf = ({ from, to, way }: PlanKey) => ({ from, to, way });

function readRunning(text: string | undefined) {
  try {
    return text === undefined ? undefined : parseVersion(text);
  } catch {
    // Beside the From field it is said that this is no version.
    return undefined;
  }
}

function placesByNote(plan: ReturnType<typeof planUpgrade> | undefined): ReadonlyMap<string, string> {
  const findings = plan ? [...plan.config, ...plan.config_hints] : [];
  const byNote = Map.groupBy(findings, ({ note }) => note);
  return new Map([...byNote].map(([note, found]) => [note, [...new Set(found.map(placeOf))].join(', ')]));
}
