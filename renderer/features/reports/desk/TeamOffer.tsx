import { i18n } from '@lingui/core';
import { CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useServer } from '../../../console-context.ts';
import { useOfferLater } from '../../../team/use-offer-later.ts';
import { useTeam } from '../../../team/use-team.ts';
import classes from './TeamOffer.module.css';

/** Above the list once somebody marks reports that others could see marked, and don't. */
export default function TeamOffer() {
  const { connection } = useServer();
  const { marks, sync } = useTeam();
  const { isLater, later } = useOfferLater();
  const { room } = sync;
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
