import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import classes from './TeamNotice.module.css';
import { TeamSharing } from './TeamSharing.tsx';
import { useOfferDismissal, useTeam } from './use-team.ts';

/** Shows problems with the team room, and a dismissible offer to create or join it. */
export function TeamNotice() {
  const { room } = useTeam().sync;
  const { isDismissed, dismiss } = useOfferDismissal();
  const isOffer = room.is === 'absent' || room.is === 'offered';
  const isFine = room.is === 'open' && room.room.nonAdmins.length === 0;
  if (isFine || room.is === 'connecting' || room.is === 'unsupported' || (isOffer && isDismissed))
    return null;
  return (
    <aside className={classes.notice} aria-label={i18n.t('Team room')}>
      <TeamSharing quiet>
        {isOffer && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            title={i18n.t('The offer stays in Settings')}
            onClick={dismiss}
          >
            {i18n.t('Hide')}
          </Button>
        )}
      </TeamSharing>
    </aside>
  );
}
