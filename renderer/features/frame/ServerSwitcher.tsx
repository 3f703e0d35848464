import { Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { connectionsQuery } from '../../api/connections.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { StatusDot } from '../../components/StatusDot.tsx';
import { serverName } from '../../components/server-name.ts';
import { useConsole, useServer } from '../../console-context.ts';
import type { Reachability } from '../../transport/reachability.ts';
import classes from './Header.module.css';

const stateWords: Record<Reachability, string> = {
  connected: 'Connected',
  slow: 'Answers slowly',
  offline: 'Offline',
  'signed-out': 'Signed out',
};

/** The connected server, how it is, and the way to the others. */
export function ServerSwitcher() {
  const { host, reachability } = useConsole();
  const server = useServer();
  const navigate = useNavigate();
  const { data: connections = [] } = useQuery(connectionsQuery(host));
  const { data: version } = useQuery(serverVersionQuery(server));
  const state = useSyncExternalStore(reachability.subscribe, () => reachability.of(server.id));

  return (
    <>
      <Menu position="bottom-start" width={320}>
        <Menu.Target>
          <UnstyledButton
            className={classes.server}
            title={server.connection.baseUrl}
            aria-label={`Server: ${serverName(server.connection)}, ${stateWords[state].toLowerCase()}`}
          >
            <StatusDot state={state} title={stateWords[state]} />
            <span className={classes.name}>{serverName(server.connection)}</span>
            <IconSelector size={14} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Servers</Menu.Label>
          {connections.map((connection) => (
            <Menu.Item
              key={connection.id}
              leftSection={<StatusDot state={reachability.of(connection.id)} />}
              rightSection={connection.id === server.id && <IconCheck size={14} aria-label="current" />}
              onClick={() => navigate({ to: '/reports', search: { server: connection.id } })}
            >
              <div className={classes.name}>{serverName(connection)}</div>
              <div className={classes.detail}>
                {connection.userId} · {connection.baseUrl.replace(/^https?:\/\//, '')}
              </div>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => navigate({ to: '/connect' })}>
            Connect to another server…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {version && <span className={classes.detail}>{version.server_version}</span>}
      <span className={classes.dialect} title="The spelling of paths that this server speaks">
        {server.connection.dialect}
      </span>
      <output className={classes.state} aria-label="Connection">
        {state !== 'connected' && stateWords[state]}
      </output>
    </>
  );
}
