import { i18n } from '@lingui/core';
import { Button, SegmentedControl, Switch, useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, useSyncExternalStore } from 'react';
import { version } from '../../../package.json';
import type { Connection } from '../../../shared/connection.ts';
import { dialects } from '../../../shared/dialect.ts';
import { SignOutQuestion } from '../../actions/SignOutQuestion.tsx';
import { serverVersionQuery } from '../../api/server.ts';
import { connectionsQuery } from '../../api/shell.ts';
import { Page, PageSection } from '../../components/Page.tsx';
import { sessionPersistenceQuery, sessionPersistenceTexts } from '../../components/session-persistence.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { TeamSharing } from '../../team/TeamSharing.tsx';
import type { Server } from '../../transport/server.ts';
import { serverLabel, serverName } from '../../transport/server-name.ts';
import { chosenLanguage } from '../../words/languages.ts';
import { DesktopSettings } from './DesktopSettings.tsx';
import classes from './Settings.module.css';

export function SettingsScreen() {
  const { host, kept, commands } = useConsole();
  const { characterKeys } = commands;
  const server = useServerIfAny();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const singleKeys = useSyncExternalStore(characterKeys.subscribe, characterKeys.read);
  const language = chosenLanguage(kept).read();
  const { data: connections = [] } = useQuery(connectionsQuery(host));
  const { data: persistence } = useQuery(sessionPersistenceQuery(host.shell));

  return (
    <Page title={i18n.t('Settings')}>
      <PageSection title={i18n.t('Appearance')} description={i18n.t('Stored on this device.')}>
        <div className={classes.choice}>
          <span id="color">{i18n.t('Color scheme')}</span>
          <SegmentedControl
            aria-labelledby="color"
            w={260}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
            data={[
              { value: 'auto', label: i18n.t('System') },
              { value: 'light', label: i18n.t('Light') },
              { value: 'dark', label: i18n.t('Dark') },
            ]}
          />
        </div>
        <div className={classes.choice}>
          <span id="language">{i18n.t('Language')}</span>
          <SegmentedControl
            aria-labelledby="language"
            w={260}
            value={language}
            onChange={(value) => chosenLanguage(kept).write(value as typeof language)}
            data={[
              { value: '', label: i18n.t('System') },
              { value: 'en', label: 'English' },
              { value: 'de', label: 'Deutsch' },
            ]}
          />
        </div>
      </PageSection>
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
        {connections.map((connection) => (
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
      <PageSection title={i18n.t('About')}>
        <p>{i18n.t('Gatehouse {version}', { version })}</p>
        {server && <ServerVersion server={server} />}
      </PageSection>
    </Page>
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

function ConnectionRow({ connection, all }: { connection: Connection; all: readonly Connection[] }) {
  const [isSigningOut, setSigningOut] = useState(false);
  const label = serverLabel(connection, all);
  return (
    <div className={classes.connection}>
      <div className={classes.connectionText}>
        <strong>{serverName(connection)}</strong>
        {connection.local && ` (${i18n.t('local server')})`}
        <div className={classes.connectionDetail}>
          {connection.userId} · {connection.baseUrl} · {dialects[connection.dialect].administration}
        </div>
      </div>
      <Button
        variant="default"
        onClick={() => setSigningOut(true)}
        aria-label={i18n.t('Sign out of {name}', { name: label })}
      >
        {i18n.t('Sign out')}
      </Button>
      <SignOutQuestion
        connection={connection}
        label={label}
        opened={isSigningOut}
        onClose={() => setSigningOut(false)}
      />
    </div>
  );
}
