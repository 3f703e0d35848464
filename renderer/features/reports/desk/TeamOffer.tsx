import { i18n } from '@lingui/core';
import { CloseButton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventReportTotalQuery } from '../../../api/event-reports.ts';
import { failureSentence } from '../../../components/FailureMessage.tsx';
import { useServer } from '../../../console-context.ts';
import { useOfferLater } from '../../../team/use-offer-later.ts';
import { useTeam } from '../../../team/use-team.ts';
import classes from './TeamOffer.module.css';

/** Above the list: that marks could be shared and are not, or that the team's can't be read. */
export default function TeamOffer() {
  const server = useServer();
  const { connection } = server;
  const { marks, areMarksKnown, sync } = useTeam();
  const { isLater, later } = useOfferLater();
  const { room } = sync;
  const isAnswered = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false }).data !== undefined;
  // A server that tells of no reports either says so where they would be.
  if (room.is === 'failed' && !areMarksKnown && isAnswered) {
    return (
      <aside className={classes.offer} aria-label={i18n.t("The team's marks can't be read")}>
        <span title={failureSentence(room.why)}>
          {i18n.t("The team's marks can't be read: the queues go by those of this machine alone.")}{' '}
          <UnstyledButton className={classes.again} onClick={sync.retry}>
            {i18n.t('Try again')}
          </UnstyledButton>
        </span>
      </aside>
    );
  }
  const isAlone = room.is === 'absent' && room.administrators.every((userId) => userId === connection.userId);
  const isOffer = room.is === 'offered' || (room.is === 'absent' && marks.size > 0 && !isAlone);
  if (!isOffer || isLater) return null;
  return (
    <aside className={classes.offer} aria-label={i18n.t('Marks are not shared')}>
      <span>
        {room.is === 'offered'
          ? i18n.t('The team shares its marks; you are not among them yet.')
          : i18n.t('Marks stay on this machine: the other administrators don’t see them.')}{' '}
        <Link to="/settings" hash="team">
          {i18n.t('Share with the team…')}
        </Link>
      </span>
      <CloseButton
        size="xs"
        aria-label={i18n.t("Don't show this here (it stays in Settings)")}
        onClick={later}
      />
    </aside>
  );
}
