import { Button, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { version } from '../../../package.json';
import { connectionsQuery } from '../../api/connections.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { Page, PageSection } from '../../components/Page.tsx';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import type { Server } from '../../transport/server.ts';
import { ConnectionRow } from './ConnectionRow.tsx';

export function SettingsScreen() {
  const { host } = useConsole();
  const server = useServerIfAny();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: connections = [] } = useQuery(connectionsQuery(host));

  return (
    <Page title="Settings">
      <PageSection title="Appearance" description="Kept on this machine.">
        <SegmentedControl
          aria-label="Color scheme"
          w={260}
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          data={[
            { value: 'auto', label: 'System' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </PageSection>
      <PageSection
        title="Connections"
        description={
          host.shell
            ? "Sessions are encrypted with this system's keychain."
            : 'Sessions end with this browser tab.'
        }
      >
        {connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} all={connections} />
        ))}
        <div>
          <Button variant="default" onClick={() => navigate({ to: '/connect' })}>
            Connect to another server…
          </Button>
        </div>
      </PageSection>
      <PageSection title="About">
        <p>Gatehouse {version}</p>
        {server && <ServerVersion server={server} />}
      </PageSection>
    </Page>
  );
}

function ServerVersion({ server }: { server: Server }) {
  const { data } = useQuery(serverVersionQuery(server));
  return <p>Server {data?.server_version ?? 'version not known yet'}</p>;
}
