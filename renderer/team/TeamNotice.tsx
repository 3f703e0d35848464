import { i18n } from '@lingui/core';
import { UnstyledButton } from '@mantine/core';
import classes from './TeamNotice.module.css';
import { TeamSharing } from './TeamSharing.tsx';
import { useOfferLater, useTeam } from './use-team.ts';

/** Beside a history: where it is kept, if there is something to say on that. An offer can be waved away. */
export function TeamNotice() {
  const { room } = useTeam().sync;
  const { isLater, later } = useOfferLater();
  const isOffer = room.is === 'absent' || room.is === 'offered';
  const isFine = room.is === 'open' && room.room.strangers.length === 0;
  if (isFine || room.is === 'looking' || room.is === 'impossible' || (isOffer && isLater)) return null;
  return (
    <aside className={classes.notice} aria-label={i18n.t('Team room')}>
      <TeamSharing />
      {isOffer && (
        <UnstyledButton className={classes.later} onClick={later}>
          {i18n.t('Hide (stays in Settings)')}
        </UnstyledButton>
      )}
    </aside>
  );
}
