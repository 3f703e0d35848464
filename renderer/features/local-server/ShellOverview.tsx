import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { localServerQuery } from '../../api/shell.ts';
import { CopyText } from '../../components/CopyText.tsx';
import { PageSection } from '../../components/page/Page.tsx';
import type { Shell } from '../../transport/host.ts';
import { HostControls } from './HostControls.tsx';

/** Status and URLs of the built-in homeserver, from the desktop app. */
export function ShellOverview({ shell }: { shell: Shell }) {
  const { data: state } = useQuery(localServerQuery(shell));
  const addresses = state?.addresses ?? [];
  return (
    <>
      <PageSection title={i18n.t('Status')} description={i18n.t('Built-in homeserver')}>
        <HostControls status={state?.status ?? 'starting'} />
      </PageSection>
      {addresses.length > 0 && (
        <PageSection
          title={i18n.t('Server URL')}
          description={
            state?.isOpen
              ? i18n.t('Set in homeserver.yaml. May be reachable from the network.')
              : i18n.t('For clients on this computer only.')
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
