import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useMemo } from 'react';
import { isLate, type ScheduledAction, scheduledIn, scheduledKind } from '../../../shared/team/scheduled.ts';
import { HazardText } from '../../components/HazardText.tsx';
import { StateMark } from '../../components/State.tsx';
import { useServer } from '../../console-context.ts';
import { SubjectLink } from '../../team/SubjectLink.tsx';
import { teamOf } from '../../team/team-store.ts';
import { useTeamValue } from '../../team/use-team.ts';
import { serverName } from '../../transport/server-name.ts';
import { shortId } from '../../words/clip.ts';
import { mediumTimeFormat } from '../../words/format.ts';
import classes from './ScheduledList.module.css';
import { cancelScheduled, scheduledText, subjectOfScheduled } from './schedule.ts';

/** Returns scheduled actions, the next one first. */
export function useScheduled(): readonly ScheduledAction[] {
  const server = useServer();
  const documents = useTeamValue((team) => team.documents(scheduledKind));
  // biome-ignore lint/correctness/useExhaustiveDependencies: scheduled actions change with the documents
  return useMemo(() => scheduledIn(teamOf(server).snapshot()), [server, documents]);
}

type Props = {
  scheduled: readonly ScheduledAction[];
  /** With different subjects, each is named. */
  withSubjects?: boolean;
};

/** Lists scheduled actions, each of which can be cancelled. */
export function ScheduledList({ scheduled, withSubjects }: Props) {
  const server = useServer();
  const now = Date.now();
  return (
    <ul className={classes.list}>
      {scheduled.map((each) => {
        const what = scheduledText(each);
        return (
          <li key={each.key} className={classes.row}>
            <span className={classes.what}>
              <HazardText text={what} /> {withSubjects && <SubjectLink subject={subjectOfScheduled(each)} />}{' '}
              <time dateTime={new Date(each.at).toISOString()}>{mediumTimeFormat().format(each.at)}</time>{' '}
              {isLate(each, now) && (
                <StateMark words={i18n.t('Overdue')} tone="warning" icon={IconClockExclamation} />
              )}
              <span className={classes.dim}>
                {i18n.t('by {name}', { name: shortId(each.by, serverName(server.connection)) })}
                {each.reason && (
                  <>
                    {' · '}
                    <HazardText text={each.reason} />
                  </>
                )}
              </span>
            </span>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={i18n.t('Cancel: {what}', { what })}
              onClick={() => cancelScheduled(server, each)}
            >
              {i18n.t('Cancel')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
