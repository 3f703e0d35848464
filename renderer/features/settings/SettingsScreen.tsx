import { i18n } from '@lingui/core';
import { Anchor, Button, Switch, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { homepage, version } from '../../../package.json';
import { serverVersionQuery } from '../../api/server.ts';
import { Mark } from '../../components/Logo.tsx';
import { Page, PageSection } from '../../components/page/Page.tsx';
import { sessionPersistenceQuery, sessionPersistenceTexts } from '../../components/session-persistence.ts';
import { useConnections } from '../../connection-look.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { chosenDensity, useDensity } from '../../density.ts';
import { useStoreValue } from '../../subscribers.ts';
import { TeamSharing } from '../../team/TeamSharing.tsx';
import type { Server } from '../../transport/server.ts';
import { chosenLanguage } from '../../words/languages.ts';
import { Choice } from './Choice.tsx';
import { ConnectionRow } from './ConnectionRow.tsx';
import { DesktopSettings } from './DesktopSettings.tsx';
import { MediaSettings } from './MediaSettings.tsx';
import { ProtectedAccounts } from './ProtectedAccounts.tsx';
import classes from './Settings.module.css';
import { TeamRoles } from './TeamRoles.tsx';

export function SettingsScreen() {
  const { host, deviceStorage, commands } = useConsole();
  const { characterKeys } = commands;
  const server = useServerIfAny();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const singleKeys = useStoreValue(characterKeys, characterKeys.read);
  const density = useDensity();
  const language = chosenLanguage(deviceStorage).read();
  const connections = useConnections();
  const { data: persistence } = useQuery(sessionPersistenceQuery(host.shell));

  return (
    <Page title={i18n.t('Settings')}>
      <PageSection title={i18n.t('Appearance')} description={i18n.t('Stored on this device.')}>
        <Choice
          label={i18n.t('Color scheme')}
          value={colorScheme}
          onChange={setColorScheme}
          data={[
            { value: 'auto', label: i18n.t('System') },
            { value: 'light', label: i18n.t('Light') },
            { value: 'dark', label: i18n.t('Dark') },
          ]}
        />
        <Choice
          label={i18n.t('Row density')}
          value={density}
          onChange={chosenDensity(deviceStorage).write}
          data={[
            { value: 'comfortable', label: i18n.t('Comfortable') },
            { value: 'compact', label: i18n.t('Compact') },
          ]}
        />
        <Choice
          label={i18n.t('Language')}
          value={language}
          onChange={chosenLanguage(deviceStorage).write}
          data={[
            { value: '', label: i18n.t('System') },
            { value: 'en', label: 'English' },
            { value: 'de', label: 'Deutsch' },
          ]}
        />
      </PageSection>
      <MediaSettings />
      <PageSection title={i18n.t('Keyboard')} description={i18n.t('Stored on this device.')}>
        <Switch
          label={i18n.t('Single-key shortcuts')}
          description={i18n.t(
            'For example, j for the next report. Turn off for speech input or accidental keystrokes; Ctrl K has everything.',
          )}
          checked={singleKeys}
          onChange={(event) => characterKeys.write(event.currentTarget.checked)}
        />
      </PageSection>
      <PageSection
        title={i18n.t('Connections')}
        description={
          host.shell
            ? persistence && i18n.t(sessionPersistenceTexts[persistence])
            : i18n.t('Tabs share sessions, which end with the last tab.')
        }
      >
        {connections.connections.map((connection) => (
          <ConnectionRow key={connection.id} connection={connection} all={connections} />
        ))}
        <div>
          <Button variant="default" onClick={() => navigate({ to: '/connect' })}>
            {i18n.t('Connect to another server…')}
          </Button>
        </div>
      </PageSection>
      {host.shell && <DesktopSettings shell={host.shell} connections={connections} />}
      {server && (
        <PageSection
          id="team"
          title={i18n.t('Team')}
          description={i18n.t('Report status, notes and actions.')}
        >
          <TeamSharing />
        </PageSection>
      )}
      {server && <TeamRoles key={`roles ${server.id}`} />}
      {server && <ProtectedAccounts key={server.id} />}
      <PageSection title={i18n.t('About')}>
        <div className={classes.about}>
          <Mark size={34} />
          <div>
            <strong>{i18n.t('Gatehouse {version}', { version })}</strong>
            <div className={classes.note}>{i18n.t('Admin console for Matrix homeservers')}</div>
          </div>
        </div>
        {server && <ServerVersion server={server} />}
        <p className={classes.links}>
          <ExternalLink url={homepage}>{i18n.t('Website')}</ExternalLink>
          <ExternalLink url="https://www.apache.org/licenses/LICENSE-2.0">
            {i18n.t('License: Apache 2.0')}
          </ExternalLink>
        </p>
      </PageSection>
    </Page>
  );
}

/** The desktop app opens it in the system's browser. */
function ExternalLink({ url, children }: { url: string; children: string }) {
  const { host } = useConsole();
  return (
    <Anchor
      href={url}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => {
        event.preventDefault();
        void host.openExternal(url);
      }}
    >
      {children}
    </Anchor>
  );
}

function ServerVersion({ server }: { server: Server }) {
  const { data } = useQuery(serverVersionQuery(server));
  return (
    <p>
      {data ? i18n.t('Server {version}', { version: data.server_version }) : i18n.t('Server version unknown')}
    </p>
  );
}
