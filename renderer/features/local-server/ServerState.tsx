import { i18n } from '@lingui/core';
import type { LocalServerState } from '../../../shared/bridge.ts';
import { useLocalServerState } from '../../components/local-server-state.ts';
import { StatusDot } from '../../components/StatusDot.tsx';
import type { Shell } from '../../transport/host.ts';
import type { Reachability } from '../../transport/reachability.ts';
import classes from './LocalServer.module.css';

const words: Record<LocalServerState['status'], { text: string; dot: Reachability }> = {
  starting: { text: /*i18n*/ 'Starting', dot: 'slow' },
  running: { text: /*i18n*/ 'Running', dot: 'connected' },
  restarting: { text: /*i18n*/ 'Restarting after crash', dot: 'slow' },
  failed: { text: /*i18n*/ 'Stopped, no automatic restart', dot: 'offline' },
  stopped: { text: /*i18n*/ 'Stopped', dot: 'offline' },
};

/** How the server in the box is, in a word; why it is so, where the shell says more. */
export function ServerState({ shell }: { shell: Shell }) {
  const state = useLocalServerState(shell);
  return (
    <>
      <StateWord status={state?.status ?? 'starting'} />
      {state?.message && (
        <p className={classes.message}>{i18n.t(state.message.sentence, state.message.values)}</p>
      )}
    </>
  );
}

export function StateWord({ status }: { status: LocalServerState['status'] }) {
  const { text, dot } = words[status];
  return (
    <output className={classes.status} aria-label={i18n.t('Local server status')}>
      <StatusDot state={dot} />
      {i18n.t(text)}
    </output>
  );
}
