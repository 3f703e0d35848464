import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { Connection } from '../../../shared/connection.ts';
import { connectionsQuery } from '../../api/connections.ts';
import { StateMessage } from '../../components/StateMessage.tsx';
import { useConsole } from '../../console-context.ts';
import { serverLabel } from '../../transport/server-name.ts';

/** In the screen's place when the server no longer accepts the session. */
export function SessionEnded({ connection }: { connection: Connection }) {
  const navigate = useNavigate();
  const { href } = useLocation();
  const { data: connections = [] } = useQuery(connectionsQuery(useConsole().host));
  return (
    <StateMessage
      role="alert"
      isScreen
      icon={<IconLogin2 size={26} stroke={1.5} />}
      title={i18n.t('Your session has ended')}
      description={i18n.t('{name} rejected the session of {userId}. Sign in again to return here.', {
        name: serverLabel(connection, connections),
        userId: connection.userId,
      })}
    >
      <Button onClick={() => navigate({ to: '/connect', search: { next: href, again: connection.id } })}>
        {i18n.t('Sign in again')}
      </Button>
    </StateMessage>
  );
}
