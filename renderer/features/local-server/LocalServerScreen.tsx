import { i18n } from '@lingui/core';
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
  starting: { text: /*i18n*/ 'Starting', dot: 'slow' },
  running: { text: /*i18n*/ 'Running', dot: 'connected' },
  restarting: { text: /*i18n*/ 'Restarting after a crash', dot: 'slow' },
  failed: { text: /*i18n*/ 'Stopped, and not started again by itself', dot: 'offline' },
  stopped: { text: /*i18n*/ 'Stopped', dot: 'offline' },
};

export function LocalServerScreen() {
  const { shell } = useConsole().host;
  if (shell) return <LocalServer shell={shell} />;
  return (
    <StateMessage
      icon={<IconDeviceDesktopOff size={24} stroke={1.5} />}
      isScreen
      title={i18n.t('Only in the desktop app')}
      description={i18n.t(
        "A browser can't start or restart a server on this machine. Use npx gatehouse serve.",
      )}
    />
  );
}

function LocalServer({ shell }: { shell: Shell }) {
  const state = useLocalServerState(shell);
  const restart = useMutation(restartLocalServer(shell));
  const { text, dot } = words[state?.status ?? 'starting'];
  return (
    <Page title={i18n.t('Local server')} description={i18n.t('The homeserver in the box.')}>
      <PageSection title={i18n.t('State')}>
        <output className={classes.status} aria-label={i18n.t('State of the local server')}>
          <StatusDot state={dot} />
          {i18n.t(text)}
        </output>
        {state?.message && (
          <p className={classes.message}>{i18n.t(state.message.sentence, state.message.values)}</p>
        )}
        {restart.error && <p className={classes.message}>{failureSentence(restart.error)}</p>}
        <div>
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} />}
            onClick={() => restart.mutate()}
            // Also while it starts: one that hangs has to be got out of that.
            loading={restart.isPending}
          >
            {i18n.t('Restart')}
          </Button>
        </div>
      </PageSection>
      {state?.addresses && <Addresses addresses={state.addresses} />}
    </Page>
  );
}

/** Where it listens, and who can come there. */
function Addresses({ addresses }: { addresses: readonly string[] }) {
  const isOpen = !addresses.every((address) =>
    /^(127\.|localhost$|\[::1\]$)/.test(new URL(address).hostname),
  );
  return (
    <PageSection
      title={i18n.t('Address')}
      description={
        isOpen
          ? i18n.t('As its homeserver.yaml says. Others on the network may reach it.')
          : i18n.t('For clients on this machine. Nobody else reaches it.')
      }
    >
      {addresses.map((address) => (
        <CopyButton key={address} value={address}>
          {({ copied, copy }) => (
            <div>
              <Code>{address}</Code>{' '}
              <Button variant="subtle" onClick={copy}>
                {copied ? i18n.t('Copied') : i18n.t('Copy')}
              </Button>
            </div>
          )}
        </CopyButton>
      ))}
    </PageSection>
  );
}
