import { i18n } from '@lingui/core';
import { CopyText } from '../../components/CopyText.tsx';
import { useLocalServerState } from '../../components/local-server-state.ts';
import { PageSection } from '../../components/Page.tsx';
import type { Shell } from '../../transport/host.ts';
import { HostControls } from './HostControls.tsx';

/** What the desktop app knows of the server in the box, whether that answers or not. */
export function ShellOverview({ shell }: { shell: Shell }) {
  const state = useLocalServerState(shell);
  const addresses = state?.addresses ?? [];
  return (
    <>
      <PageSection title={i18n.t('State')} description={i18n.t('The homeserver in the box.')}>
        <HostControls status={state?.status ?? 'starting'} />
      </PageSection>
      {addresses.length > 0 && (
        <PageSection
          title={i18n.t('Address')}
          description={
            state?.isOpen
              ? i18n.t('As its homeserver.yaml says. Others on the network may reach it.')
              : i18n.t('For clients on this machine. Nobody else reaches it.')
          }
        >
          {addresses.map((address) => (
            <div key={address}>
              <CopyText text={address} label={address} />
            </div>
          ))}
        </PageSection>
      )}
    </>
  );
}
