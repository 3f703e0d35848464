import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import type { Subject } from '../../shared/team/entries.ts';
import { policyKind, policyName } from '../../shared/team/policies.ts';
import { type ActiveStrike, activeStrikes, removeStrike } from '../../shared/team/strikes.ts';
import { ScheduledList, useScheduled } from '../actions/scheduled/ScheduledList.tsx';
import { scheduledFor } from '../actions/scheduled/schedule.ts';
import { noticeWithUndo } from '../actions/undo-stack.ts';
import { HazardText } from '../components/HazardText.tsx';
import { noticesOf } from '../components/notices.ts';
import { useServer } from '../console-context.ts';
import { strikesText } from '../team/policy-words.ts';
import { teamOf } from '../team/team-store.ts';
import { useTeam } from '../team/use-team.ts';
import type { Server } from '../transport/server.ts';
import { serverName } from '../transport/server-name.ts';
import { ellipsize, shortId } from '../words/clip.ts';
import { shortDay } from '../words/format.ts';
import { Fact } from './DetailSection.tsx';
import classes from './subjects.module.css';

/** Renders a user's active strikes and scheduled actions. */
export const UserMeasures = ({ userId }: { userId: string }) => (
  <>
    <Strikes userId={userId} />
    <ScheduledFact subject={{ kind: 'user', userId }} />
  </>
);

/** Renders the actions scheduled for a user or room, if there are any. */
export function ScheduledFact({ subject }: { subject: Subject }) {
  const scheduled = scheduledFor(useScheduled(), subject);
  return (
    <Fact name={i18n.t('Scheduled')}>{scheduled.length > 0 && <ScheduledList scheduled={scheduled} />}</Fact>
  );
}

function Strikes({ userId }: { userId: string }) {
  const server = useServer();
  const team = useTeam();
  const strikes = activeStrikes(team.timeline({ kind: 'user', userId }), Date.now());
  const documents = team.documents(policyKind);
  return (
    <Fact name={i18n.t('Strikes')}>
      {strikes.length > 0 && (
        <>
          {strikesText(strikes)}
          <ul className={classes.entries}>
            {strikes.map((strike) => (
              <li key={strike.id}>
                <span>
                  {strike.policy !== undefined && (
                    <HazardText text={`${ellipsize(policyName(documents, strike.policy), 100)} · `} />
                  )}
                  {i18n.t('added {day} by {name}', {
                    day: shortDay(new Date(strike.at)),
                    name: shortId(strike.by, serverName(server.connection)),
                  })}
                </span>
                <span>
                  <Button
                    variant="default"
                    size="compact-xs"
                    onClick={() => takeBack(server, userId, strike)}
                  >
                    {i18n.t('Remove strike')}
                  </Button>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Fact>
  );
}

/** Removes a strike, for example after an appeal; with an undo. */
function takeBack(server: Server, userId: string, { id, weight, until, policy }: ActiveStrike) {
  const record = (outcome: 'done' | 'undone') =>
    teamOf(server)
      .snapshot()
      .record({
        action: removeStrike,
        subject: { kind: 'user', userId },
        reports: [],
        outcome,
        strike: { id, weight, until },
        ...(policy !== undefined && { policy }),
      });
  record('done');
  noticeWithUndo(server, { text: i18n.t('Strike removed'), undoLabel: i18n.t('Remove strike') }, () => {
    record('undone');
    noticesOf(server).show({ text: i18n.t('Strike restored') });
  });
}
