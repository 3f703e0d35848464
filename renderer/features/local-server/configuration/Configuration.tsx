import { i18n } from '@lingui/core';
import { Button, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy, IconFileDiff } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ConnectionFailure } from '../../../../shared/connection.ts';
import {
  type ConfigurationProblem,
  type ConfigurationText,
  checkConfiguration,
  getConfiguration,
} from '../../../../shared/workbench/configuration.ts';
import type { AppliedConfiguration } from '../../../../shared/workbench/host.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { LoadingNote } from '../../../components/LoadStates.tsx';
import { useCommands } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import base from '../LocalServer.module.css';
import {
  operationKey,
  startCountOf,
  useProgram,
  useRunningOperation,
  waitForRestart,
} from '../server-operations.ts';
import { hostStateQuery, useWorkbench } from '../workbench-context.ts';
import { Changes } from './Changes.tsx';
import classes from './Configuration.module.css';

const YamlField = lazy(() => import('./YamlField.tsx'));

const configurationQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'configuration'],
    queryFn: ({ signal }) => get(getConfiguration.response[200], workbenchPaths.configuration, signal),
    // Never replaces the text while it's edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Edits homeserver.yaml, with checks by the server and a review before applying. */
export function Configuration() {
  const query = useQuery(configurationQuery(useWorkbench()));
  return (
    <div className={classes.screen}>
      <Loaded
        query={query}
        loading={i18n.t('Loading configuration…')}
        lines={8}
        notFound={i18n.t('Configuration not available')}
      >
        {(configuration) => <Editor configuration={configuration} />}
      </Loaded>
    </div>
  );
}

function Editor({ configuration }: { configuration: ConfigurationText }) {
  const workbench = useWorkbench();
  const program = useProgram();
  const queryClient = useQueryClient();
  const { data: host } = useQuery(hostStateQuery(workbench));
  // Stays the same after applying, so that the editor isn't reset.
  const [initial] = useState(configuration.text);
  const [text, setText] = useState(initial);
  /** The file as the user last saw it. Another tab or editor may have changed it since. */
  const [seenText, setSeenText] = useState(initial);
  const [problems, setProblems] = useState<readonly ConfigurationProblem[]>([]);
  const clipboard = useClipboard({ timeout: 1500 });
  const [isReviewing, setReviewing] = useState(false);
  const [cursor, setCursor] = useState<Cursor>();
  const canApply = program !== undefined && (program.start !== undefined || Boolean(host));
  const hasChanged = text !== configuration.text;

  async function check(text: string): Promise<readonly ConfigurationProblem[]> {
    const { problems } = await workbench.send(
      'POST',
      checkConfiguration.response[200],
      workbenchPaths.configurationCheck,
      { text },
    );
    setProblems(problems);
    return problems;
  }

  /** Reloads the file; falls back to the known text. */
  const reload = () =>
    queryClient
      .fetchQuery({ ...configurationQuery(workbench), staleTime: 0 })
      .catch((): ConfigurationText => configuration);

  const running = useRunningOperation();
  const apply = useMutation({
    mutationKey: operationKey('apply'),
    mutationFn: async (): Promise<AppliedConfiguration> => {
      if (!program) throw new Error("The server's process can't be controlled");
      if ((await reload()).text !== configuration.text) {
        throw new ConnectionFailure('refused', /*i18n*/ 'Not applied. Review the changes again.');
      }
      const startCount = program.start ? undefined : await startCountOf(workbench);
      const { pending, ...applied } = await program.apply(text);
      if (!pending || startCount === undefined) return applied;
      return (await waitForRestart(workbench, startCount)).applied ?? applied;
    },
    onSuccess: async (applied) => {
      setReviewing(false);
      if (applied.outcome === 'refused') setProblems(applied.problems);
      if (applied.outcome === 'applied') {
        queryClient.setQueryData(configurationQuery(workbench).queryKey, { ...configuration, text });
        setSeenText(text);
        await queryClient.invalidateQueries();
      }
    },
  });
  const review = async () => {
    apply.reset();
    await reload();
    setReviewing(true);
  };
  useCommands(
    hasChanged && !isReviewing
      ? [
          {
            id: 'review changes',
            label: i18n.t('Review changes'),
            group: i18n.t('Configuration'),
            keys: ['d'],
            icon: <IconFileDiff size={17} stroke={1.6} />,
            run: review,
          },
        ]
      : [],
  );
  const errors = problems.filter(({ severity }) => severity === 'error');

  return (
    <>
      <div className={classes.bar}>
        {configuration.path === null ? (
          <span className={base.dim}>{i18n.t('No configuration file')}</span>
        ) : (
          <CopyText text={configuration.path} label={i18n.t('Configuration path')} />
        )}
        <output className={base.dim}>
          {errors.length > 0
            ? i18n.t("Errors: {count}. The server won't start.", { count: errors.length })
            : hasChanged
              ? i18n.t('Changes not applied')
              : i18n.t('No changes')}
        </output>
        <ButtonWithIcon icon={IconFileDiff} onClick={review} disabled={!hasChanged || isReviewing}>
          {i18n.t('Review changes')}
        </ButtonWithIcon>
      </div>
      {apply.data && <Outcome applied={apply.data} />}
      {apply.error && (
        <p className={classes.note} data-tone="bad" role="alert">
          {failureSentence(apply.error)}
        </p>
      )}
      {isReviewing && (
        <section ref={focusSection} tabIndex={-1} className={classes.changes} aria-label={i18n.t('Changes')}>
          <h2 className={classes.changesTitle}>{i18n.t('Changes')}</h2>
          <Changes before={configuration.text} after={text} />
          {configuration.text !== seenText && (
            <p className={classes.note} data-tone="bad" role="alert">
              {i18n.t('The file also changed elsewhere. Check the removals.')}
            </p>
          )}
          {canApply ? (
            <p className={base.dim}>
              {i18n.t('Restarts the server. On failure, the current configuration is restored.')}
            </p>
          ) : (
            <p role="status">
              {i18n.t("Can't be applied here. Copy the text to its file and restart the server.")}
            </p>
          )}
          {running && <output className={base.dim}>{i18n.t(running.sentence)}</output>}
          <div className={base.buttons}>
            {canApply ? (
              <Button
                onClick={() => apply.mutate()}
                loading={apply.isPending}
                disabled={errors.length > 0 || running !== undefined}
              >
                {i18n.t('Apply and restart')}
              </Button>
            ) : (
              <ButtonWithIcon icon={IconCopy} onClick={() => clipboard.copy(text)}>
                {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy all')}
              </ButtonWithIcon>
            )}
            <Button variant="default" onClick={() => setReviewing(false)} disabled={apply.isPending}>
              {i18n.t('Continue editing')}
            </Button>
          </div>
        </section>
      )}
      <div className={classes.editor}>
        <Suspense fallback={<LoadingNote text={i18n.t('Loading editor…')} />}>
          <YamlField
            initial={initial}
            schema={configuration.schema}
            cursor={cursor}
            onChange={(edited) => setText(withLineEndings(initial, edited))}
            check={check}
          />
        </Suspense>
      </div>
      {problems.length > 0 && <Problems problems={problems} onChoose={setCursor} />}
    </>
  );
}

/** Restores CRLF, which CodeMirror normalizes. */
const withLineEndings = (file: string, text: string) =>
  file.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;

/** Takes the focus from the button, which is disabled now. */
const focusSection = (section: HTMLElement | null) => section?.focus();

function Outcome({ applied: { outcome, problems, message } }: { applied: AppliedConfiguration }) {
  if (outcome === 'applied') {
    return (
      <p className={classes.note} data-tone="good" role="status">
        {i18n.t('Applied')}
      </p>
    );
  }
  const why = message ?? problems.map(({ sentence }) => sentence).join(' ');
  return (
    <p className={classes.note} data-tone="bad" role="alert">
      {outcome === 'went_back'
        ? i18n.t("Couldn't start; keeping the previous configuration: {why}", { why })
        : i18n.t('Not applied: {why}', { why })}
    </p>
  );
}

type Cursor = Pick<ConfigurationProblem, 'line' | 'column'>;

type ProblemsProps = { problems: readonly ConfigurationProblem[]; onChoose: (cursor: Cursor) => void };

/** The server's findings; a click moves the cursor there. */
function Problems({ problems, onChoose }: ProblemsProps) {
  return (
    <ul className={classes.problems} aria-label={i18n.t('Problems')}>
      {problems.map((problem) => {
        const { line, column, sentence } = problem;
        return (
          <li key={`${line} ${column} ${sentence}`}>
            <Problem problem={problem} onChoose={() => onChoose({ line, column })} />
          </li>
        );
      })}
    </ul>
  );
}

type ProblemProps = { problem: ConfigurationProblem; onChoose: () => void };

function Problem({ problem: { severity, line, setting, sentence }, onChoose }: ProblemProps) {
  return (
    <UnstyledButton className={classes.problem ?? ''} onClick={onChoose}>
      <span className={classes.severity} data-severity={severity}>
        {severity === 'error' ? i18n.t('Error') : i18n.t('Warning')}
      </span>
      <span className={classes.location}>
        {i18n.t('Line {line}', { line })}
        {setting && ` · ${setting}`}
      </span>
      <span className={classes.sentence}>{sentence}</span>
    </UnstyledButton>
  );
}
