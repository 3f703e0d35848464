import { i18n } from '@lingui/core';
import { Link } from '@tanstack/react-router';
import { caseKey } from '../../shared/team/cases.ts';
import type { CaseSubject } from '../../shared/team/entries.ts';
import { HazardText } from '../components/HazardText.tsx';
import { useServer } from '../console-context.ts';
import { severityName } from '../team/case-words.ts';
import { useTeamValue } from '../team/use-team.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId } from '../words/clip.ts';
import { mediumTimeFormat } from '../words/format.ts';
import { Fact } from './DetailSection.tsx';
import classes from './subjects.module.css';
import { WatchMenu } from './WatchMenu.tsx';

/** Links to the case of a user or room, with the team's decisions about it. */
export function CaseFact({ subject }: { subject: CaseSubject }) {
  const { connection } = useServer();
  const key = caseKey(subject);
  const decisions = useTeamValue(({ cases }) => cases.get(key));
  const { severity, assignee, snoozedUntil = 0 } = decisions ?? {};
  return (
    <Fact name={i18n.t('Case')}>
      <span className={classes.othersLine}>
        <Link to="/reports/cases" search={{ case: key }} className={classes.link}>
          {i18n.t('Open case')}
        </Link>
        {severity && <span>{severityName(severity)}</span>}
        {assignee && <HazardText text={ellipsize(shortId(assignee, serverName(connection)), 60)} />}
        {snoozedUntil > Date.now() && (
          <span>
            {i18n.t('Snoozed until {time}', { time: mediumTimeFormat().format(new Date(snoozedUntil)) })}
          </span>
        )}
        <WatchMenu subject={subject} />
      </span>
    </Fact>
  );
}
