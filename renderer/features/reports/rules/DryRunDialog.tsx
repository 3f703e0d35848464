import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeyedRule } from '../../../../shared/team/rules.ts';
import { haveFiles } from '../../../../shared/team/word-lists.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { FailureMessage } from '../../../components/LoadStates.tsx';
import { RelativeTime } from '../../../components/RelativeTime.tsx';
import { useConsole, useServer } from '../../../console-context.ts';
import { ruleName } from '../../../team/rule-names.ts';
import { teamOf } from '../../../team/team-store.ts';
import { serverName } from '../../../transport/server-name.ts';
import { ellipsize, shortId } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import documentClasses from '../Documents.module.css';
import { type DryHit, type DryRun, dryRun, dryRunDays, type Progress } from './dry-run.ts';
import classes from './Rules.module.css';
import { useTeamRules } from './rule-facts.ts';
import { conditionTexts, effectTexts } from './rule-words.ts';

type Props = { rule: KeyedRule; isLimited: boolean; onSwitchOn: () => void; onClose: () => void };

/** Shows the cases of the last month that a rule would have applied to, before it's switched on. */
export function DryRunDialog({ rule, isLimited, onSwitchOn, onClose }: Props) {
  const { lists } = useTeamRules();
  const { progress, result, error, isFetching, refetch } = useDryRun(rule);
  return (
    <div className={classes.run}>
      <h2 className={documentClasses.name}>
        <HazardText text={ruleName(rule)} />
      </h2>
      <p className={documentClasses.facts}>
        {[...conditionTexts(rule, lists), ...effectTexts(rule)].map((text) => (
          <span key={text}>
            <HazardText text={text} />
          </span>
        ))}
      </p>
      {error && !result ? (
        <FailureMessage title={i18n.t("Couldn't load reports")} query={{ error, refetch, isFetching }} />
      ) : (
        <output className={classes.run}>
          {result ? <Result result={result} /> : <Loading progress={progress} />}
        </output>
      )}
      <p className={documentClasses.note}>{i18n.t('Testing changes nothing.')}</p>
      <div className={classes.buttons}>
        {!rule.on && !isLimited && <Button onClick={onSwitchOn}>{i18n.t('Switch on')}</Button>}
        <Button variant="default" onClick={onClose}>
          {rule.on || isLimited ? i18n.t('Close') : i18n.t('Keep off')}
        </Button>
      </div>
    </div>
  );
}

/** Keeps the result for a while, because the user may return from a case. */
function useDryRun({ when }: KeyedRule) {
  const server = useServer();
  const { queryClient } = useConsole();
  const { lists, matchers } = useTeamRules();
  const [progress, setProgress] = useState<Progress>();
  const words = lists.filter(({ key }) => when.words?.includes(key));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [server.id, 'rule-test', when, words],
    queryFn: ({ signal }) => {
      const team = teamOf(server).snapshot();
      return dryRun(
        { when },
        {
          ...{ server, queryClient, team, matchers, signal },
          areFilesListed: haveFiles(words),
          onProgress: setProgress,
        },
      );
    },
    staleTime: 5 * 60_000,
  });
  return { progress, result: data, error, isFetching, refetch };
}

const Loading = ({ progress }: { progress: Progress | undefined }) => (
  <>
    <p>
      {progress
        ? i18n.t('Loading messages and accounts: {done} of {of}', {
            done: number(progress.done),
            of: number(progress.of),
          })
        : i18n.t('Loading reports…')}
    </p>
    <progress
      className={classes.progress}
      aria-label={i18n.t('Progress')}
      {...(progress && { value: progress.done, max: progress.of })}
    />
  </>
);

/** More aren't listed. */
const maxShown = 200;

function Result({ result: { hits, reports, unread, isPartial } }: { result: DryRun }) {
  return (
    <>
      <p>
        <strong>
          {hits.length === 0
            ? i18n.t('No matching cases')
            : i18n.t('{count, plural, one {# matching case} other {# matching cases}}', {
                count: hits.length,
              })}
        </strong>
        {' · '}
        {i18n.t('{count, plural, one {# report} other {# reports}} in the last {days} days', {
          count: reports,
          days: dryRunDays,
        })}
      </p>
      {hits.length > 0 && (
        <ul className={classes.hits}>
          {hits.slice(0, maxShown).map((hit) => (
            <Hit key={hit.key} hit={hit} />
          ))}
        </ul>
      )}
      {hits.length > maxShown && (
        <p className={documentClasses.note}>
          {i18n.t('Only the newest {count} are listed.', { count: number(maxShown) })}
        </p>
      )}
      {(unread.messages > 0 || unread.accounts > 0 || isPartial) && (
        <p className={documentClasses.note}>
          {i18n.t('Not all reports, messages or accounts were loaded. There may be more matches.')}
        </p>
      )}
    </>
  );
}

function Hit({ hit: { key, subject, reports, at } }: { hit: DryHit }) {
  const { connection } = useServer();
  const name = subject.kind === 'user' ? shortId(subject.userId, serverName(connection)) : subject.roomId;
  return (
    <li className={classes.hit}>
      <Link to="/reports/cases" search={({ server }) => ({ server, case: key })} className={classes.case}>
        <HazardText text={ellipsize(name, 100)} />
      </Link>
      <span className={classes.figures}>
        {i18n.t('{count, plural, one {# report} other {# reports}}', { count: reports })}
      </span>
      <span className={classes.figures}>
        <RelativeTime timestamp={at} />
      </span>
    </li>
  );
}
