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
import { CopyText } from '../../../components/CopyText.tsx';
import { LoadingNote } from '../../../components/LoadStates.tsx';
import { useCommands } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { hostStateQuery, useBench } from '../bench.ts';
import { hostWork, startsOf, untilItRunsAgain, useHostWork, useProgram } from '../host-work.ts';
import base from '../LocalServer.module.css';
import { Changes } from './Changes.tsx';
import classes from './Configuration.module.css';

const YamlField = lazy(() => import('./YamlField.tsx'));

const configurationQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'configuration'],
    queryFn: ({ signal }) => get(getConfiguration.response[200], workbenchPaths.configuration, signal),
    // What is being edited is not replaced under the hands.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** homeserver.yaml: edited, checked as the server does it, looked at once more, and applied. */
export function Configuration() {
  const query = useQuery(configurationQuery(useBench()));
  return (
    <div className={classes.screen}>
      <Loaded
        query={query}
        loading={i18n.t('Loading configuration…')}
        lines={8}
        gone={i18n.t('Configuration not available')}
      >
        {(configuration) => <Edited configuration={configuration} />}
      </Loaded>
    </div>
  );
}

function Edited({ configuration }: { configuration: ConfigurationText }) {
  const bench = useBench();
  const program = useProgram();
  const queryClient = useQueryClient();
  const { data: host } = useQuery(hostStateQuery(bench));
  /** What the editor begins with. What is applied later has come from it. */
  const [initial] = useState(configuration.text);
  const [text, setText] = useState(initial);
  /** The file as this person has seen it. Another tab or an editor may have changed it since. */
  const [seen, setSeen] = useState(initial);
  const [problems, setProblems] = useState<readonly ConfigurationProblem[]>([]);
  const clipboard = useClipboard({ timeout: 1500 });
  const [isReviewing, setReviewing] = useState(false);
  /** Where the editor is to go. */
  const [place, setPlace] = useState<{ line: number; column: number }>();
  const canApply = program !== undefined && (program.start !== undefined || Boolean(host));
  const hasChanged = text !== configuration.text;

  async function check(checked: string): Promise<readonly ConfigurationProblem[]> {
    const found = await bench.send(
      'POST',
      checkConfiguration.response[200],
      workbenchPaths.configurationCheck,
      {
        text: checked,
      },
    );
    setProblems(found.problems);
    return found.problems;
  }

  /** What the file holds by now; what is known of it, where the server does not say. */
  const lookAgain = () =>
    queryClient
      .fetchQuery({ ...configurationQuery(bench), staleTime: 0 })
      .catch((): ConfigurationText => configuration);

  const doing = useHostWork();
  const apply = useMutation({
    mutationKey: hostWork('apply'),
    mutationFn: async (): Promise<AppliedConfiguration> => {
      if (!program) throw new Error('Nothing runs the server that takes orders');
      if ((await lookAgain()).text !== configuration.text) {
        throw new ConnectionFailure('refused', /*i18n*/ 'Not applied. Review the changes again.');
      }
      const starts = program.start ? undefined : await startsOf(bench);
      const { pending, ...applied } = await program.apply(text);
      if (!pending || starts === undefined) return applied;
      return (await untilItRunsAgain(bench, starts)).applied ?? applied;
    },
    onSuccess: async (applied) => {
      setReviewing(false);
      if (applied.outcome === 'refused') setProblems(applied.problems);
      if (applied.outcome === 'applied') {
        queryClient.setQueryData(configurationQuery(bench).queryKey, { ...configuration, text });
        setSeen(text);
        await queryClient.invalidateQueries();
      }
    },
  });
  const review = async () => {
    apply.reset();
    await lookAgain();
    setReviewing(true);
  };
  useCommands(
    hasChanged && !isReviewing
      ? [
          {
            id: 'look at changes',
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
        <Button
          leftSection={<IconFileDiff size={14} stroke={1.7} aria-hidden />}
          onClick={review}
          disabled={!hasChanged || isReviewing}
        >
          {i18n.t('Review changes')}
        </Button>
      </div>
      {apply.data && <Outcome applied={apply.data} />}
      {apply.error && (
        <p className={classes.note} data-tone="bad" role="alert">
          {failureSentence(apply.error)}
        </p>
      )}
      {isReviewing && (
        <section ref={takeFocus} tabIndex={-1} className={classes.changes} aria-label={i18n.t('Changes')}>
          <h2 className={classes.changesTitle}>{i18n.t('Changes')}</h2>
          <Changes before={configuration.text} after={text} />
          {configuration.text !== seen && (
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
          {doing && <output className={base.dim}>{i18n.t(doing.sentence)}</output>}
          <div className={base.buttons}>
            {canApply ? (
              <Button
                onClick={() => apply.mutate()}
                loading={apply.isPending}
                disabled={errors.length > 0 || doing !== undefined}
              >
                {i18n.t('Apply and restart')}
              </Button>
            ) : (
              <Button
                leftSection={<IconCopy size={14} stroke={1.7} aria-hidden />}
                onClick={() => clipboard.copy(text)}
              >
                {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy all')}
              </Button>
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
            place={place}
            onChange={(written) => setText(withLineEndsOf(initial, written))}
            check={check}
          />
        </Suspense>
      </div>
      {problems.length > 0 && <Problems problems={problems} onChoose={setPlace} />}
    </>
  );
}

/** The editor knows one kind of line end; a file keeps the kind that it had. */
const withLineEndsOf = (file: string, text: string) =>
  file.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;

/** The button that opened it can't be pressed again. */
const takeFocus = (section: HTMLElement | null) => section?.focus();

/** What came of a configuration that was applied. */
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

type Place = Pick<ConfigurationProblem, 'line' | 'column'>;

type Props = { problems: readonly ConfigurationProblem[]; onChoose: (place: Place) => void };

/** What the server has to say of the text; each leads to its place. */
function Problems({ problems, onChoose }: Props) {
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
      <span className={classes.place}>
        {i18n.t('Line {line}', { line })}
        {setting && ` · ${setting}`}
      </span>
      <span className={classes.sentence}>{sentence}</span>
    </UnstyledButton>
  );
}
