import { i18n } from '@lingui/core';
import { CloseButton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { eventReportTotalQuery } from '../../../api/event-reports.ts';
import { countsAsItGoes, serverSoftwareQuery } from '../../../api/server-software.ts';
import { useServer } from '../../../console-context.ts';
import { useOfferLater } from '../../../team/use-offer-later.ts';
import { useTeam } from '../../../team/use-team.ts';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import classes from './TeamOffer.module.css';

/** Above the list: that marks could be shared and are not, or that the team's can't be read. */
export function TeamOffer() {
  const server = useServer();
  const { marks, areMarksKnown, sync } = useTeam();
  const { isLater, later } = useOfferLater();
  const { room } = sync;
  const isAnswered = useQuery({ ...eventReportTotalQuery(server, {}), enabled: false }).data !== undefined;
  // Where there is nobody to share with, nothing is offered; a server that reads all its users to tell isn't asked.
  const wouldOffer = room.is === 'absent' && marks.size > 0 && !isLater;
  const software = useQuery({ ...serverSoftwareQuery(server), enabled: wouldOffer });
  const isTold = countsAsItGoes(software.data);
  const administrators = useQuery({
    queryKey: [server.id, 'team-administrators'],
    queryFn: sync.administrators,
    enabled: wouldOffer && isTold,
    staleTime: 60_000,
    structuralSharing: false,
  });
  // A server that tells of no reports either says so where they would be.
  if (room.is === 'failed' && !areMarksKnown && isAnswered) {
    return (
      <aside className={classes.offer} aria-label={i18n.t("Couldn't load team status")}>
        <span title={failureSentence(room.why)}>
          {i18n.t("Couldn't load team status. Queues show only this device's.")}{' '}
          <UnstyledButton className={classes.again} onClick={sync.retry}>
            {i18n.t('Retry')}
          </UnstyledButton>
        </span>
      </aside>
    );
  }
  const mayHaveOthers = isTold ? (administrators.data?.size ?? 0) > 1 : !software.isPending;
  if (room.is === 'offered' ? isLater : !wouldOffer || !mayHaveOthers) return null;
  return (
    <aside className={classes.offer} aria-label={i18n.t('Status not shared')}>
      <span>
        {room.is === 'offered'
          ? i18n.t("Your team shares report status. You haven't joined yet.")
          : i18n.t('Report status stays on this device, invisible to other admins.')}{' '}
        <Link to="/settings" hash="team">
          {room.is === 'offered' ? i18n.t('Join team…') : i18n.t('Share with team…')}
        </Link>
      </span>
      <CloseButton size="xs" aria-label={i18n.t('Hide (stays in Settings)')} onClick={later} />
    </aside>
  );
}
