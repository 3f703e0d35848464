import { Button, Code, CopyButton } from '@mantine/core';
import { IconDeviceDesktopOff, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { LocalServerState } from '../../../shared/bridge.ts';
import { restartLocalServer } from '../../api/local-server.ts';
import { failureSentence } from '../../components/FailureMessage.tsx';
import { useLocalServerState } from '../../components/local-server-state.ts';
import { Page, PageSection } from '../../components/Page.tsx';
import { StateMessage } from '../../components/StateMessage.tsx';
import { StatusDot } from '../../components/StatusDot.tsx';
import { useConsole } from '../../console-context.ts';
import type { Shell } from '../../transport/host.ts';
import type { Reachability } from '../../transport/reachability.ts';
import classes from './LocalServer.module.css';

const words: Record<LocalServerState['status'], { text: string; dot: Reachability }> = {
  starting: { text: 'Starting', dot: 'slow' },
  running: { text: 'Running', dot: 'connected' },
  restarting: { text: 'Restarting after a crash', dot: 'slow' },
  failed: { text: 'Stopped: it kept crashing', dot: 'offline' },
  stopped: { text: 'Stopped', dot: 'offline' },
};

export function LocalServerScreen() {
  const { shell } = useConsole().host;
  if (shell) return <LocalServer shell={shell} />;
  return (
    <StateMessage
      icon={<IconDeviceDesktopOff size={24} stroke={1.5} />}
      title="Only in the desktop app"
      description="A browser can't start or restart a server on this machine. Use npx gatehouse serve."
    />
  );
}

function LocalServer({ shell }: { shell: Shell }) {
  const state = useLocalServerState(shell);
  const restart = useMutation(restartLocalServer(shell));
  const { text, dot } = words[state?.status ?? 'starting'];
  const moving = state?.status === 'starting' || state?.status === 'restarting';
  return (
    <Page title="Local server" description="The homeserver in the box. It listens on this machine only.">
      <PageSection title="State">
        <output className={classes.status} aria-label="State of the local server">
          <StatusDot state={dot} />
          {text}
        </output>
        {state?.message && <p className={classes.message}>{state.message}</p>}
        {restart.error && <p className={classes.message}>{failureSentence(restart.error)}</p>}
        <div>
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            onClick={() => restart.mutate()}
            loading={restart.isPending || moving}
          >
            Restart
          </Button>
        </div>
      </PageSection>
      {state?.url && (
        <PageSection title="Address" description="For clients on this machine.">
          <CopyButton value={state.url}>
            {({ copied, copy }) => (
              <div>
                <Code>{state.url}</Code>{' '}
                <Button variant="subtle" onClick={copy}>
                  {copied ? 'Copied' : 'Copy'}
                </Button>
              </div>
            )}
          </CopyButton>
        </PageSection>
      )}
    </Page>
  );
}
