import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { startLocalServer } from '../api/local-server.ts';
import type { Shell } from '../transport/host.ts';
import classes from './LocalServerBanner.module.css';
import { useLocalServerState } from './local-server-state.ts';

/** Across every screen where the local server has ended and is not started again by itself. */
export function LocalServerBanner({ shell }: { shell: Shell }) {
  const state = useLocalServerState(shell);
  const start = useMutation(startLocalServer(shell));
  if (state?.status !== 'failed') return null;
  return (
    <div className={classes.banner} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span className={classes.text}>
        <strong>{i18n.t("Local server isn't running")}</strong>{' '}
        {state.message && i18n.t(state.message.sentence, state.message.values)}
      </span>
      <Button variant="default" onClick={() => start.mutate()} loading={start.isPending}>
        {i18n.t('Start server')}
      </Button>
    </div>
  );
}
