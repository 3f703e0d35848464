import { i18n } from '@lingui/core';
import { Button, Menu, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPalette, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { colorOf } from '../../../shared/connection-look.ts';
import { dialects } from '../../../shared/dialect.ts';
import { serverVersionQuery } from '../../api/server.ts';
import { ButtonMenu } from '../../components/ButtonMenu.tsx';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { ConnectionSwatch } from '../../components/ConnectionSwatch.tsx';
import { StateMark } from '../../components/State.tsx';
import { StatusDot } from '../../components/StatusDot.tsx';
import { useConnections } from '../../connection-look.ts';
import { useConsole } from '../../console-context.ts';
import { retryFailedQueries } from '../../query-client.ts';
import { useStoreValue } from '../../subscribers.ts';
import type { Reachability } from '../../transport/reachability.ts';
import type { Server } from '../../transport/server.ts';
import { serverName } from '../../transport/server-name.ts';
import classes from './ConsoleFrame.module.css';

const stateLabels: Record<Reachability, string> = {
  unknown: /*i18n*/ 'Not contacted',
  connected: /*i18n*/ 'Connected',
  slow: /*i18n*/ 'Slow',
  failing: /*i18n*/ 'Failing',
  offline: /*i18n*/ 'Offline',
  'signed-out': /*i18n*/ 'Signed out',
};

const offlinePollMs = 1_500;
/** Backoff between retries of failed queries. */
const minBackoffMs = 2_000;
const maxBackoffMs = 30_000;

/** The connected server with its status, and a menu of the others. */
export function ServerSwitcher({ server }: { server: Server }) {
  const { reachability, queryClient } = useConsole();
  const navigate = useNavigate();
  const { connections, labelOf, lookOf } = useConnections();
  const state = useStoreValue(reachability, () => reachability.of(server.id));
  const version = useQuery({
    ...serverVersionQuery(server),
    ...(state === 'offline' && { refetchInterval: offlinePollMs }),
  });
  // Renders when the status of another server changes.
  useStoreValue(reachability, () => connections.map(({ id }) => reachability.of(id)).join());
  const label = labelOf(server.connection);
  const look = lookOf(server.connection);
  const name = look.label ?? serverName(server.connection);
  // Distinguishes servers with the same name.
  const at = label === name ? '' : new URL(server.connection.baseUrl).host;

  const wasDown = useRef(false);
  const backoff = useRef({ until: 0, next: minBackoffMs });
  useEffect(() => {
    if (state === 'offline' || state === 'failing') wasDown.current = true;
    if (!wasDown.current || state !== 'connected') return;
    // Retries failed queries when the server is back. If some fail again, it counts as failing once more.
    const retry = async () => {
      wasDown.current = false;
      const { next } = backoff.current;
      backoff.current = { until: Date.now() + next, next: Math.min(2 * next, maxBackoffMs) };
      const succeeded = await retryFailedQueries(queryClient, server.id);
      if (succeeded) backoff.current = { until: 0, next: minBackoffMs };
    };
    const timer = setTimeout(retry, backoff.current.until - Date.now());
    return () => clearTimeout(timer);
  }, [queryClient, server.id, state]);

  return (
    <>
      <ButtonMenu
        position="bottom-start"
        width={320}
        button={
          <UnstyledButton
            className={classes.server}
            title={server.connection.baseUrl}
            aria-label={i18n.t('Server: {label}, {state}', {
              label: at ? `${name} ${at}` : name,
              state: i18n.t(stateLabels[state]),
            })}
          >
            <StatusDot state={state} title={i18n.t(stateLabels[state])} />
            {colorOf(look) && <ConnectionSwatch look={look} />}
            <span className={classes.serverName}>{name}</span>{' '}
            {at && <span className={classes.serverHost}>{at}</span>}
            <IconSelector size={14} aria-hidden />
          </UnstyledButton>
        }
      >
        <Menu.Dropdown>
          <Menu.Label>{i18n.t('Servers')}</Menu.Label>
          {connections.map((connection) => (
            <Menu.Item
              key={connection.id}
              className={classes.serverItem}
              leftSection={
                <StatusDot
                  state={reachability.of(connection.id)}
                  title={i18n.t(stateLabels[reachability.of(connection.id)])}
                />
              }
              rightSection={
                connection.id === server.id && <IconCheck size={14} aria-label={i18n.t('Current')} />
              }
              onClick={() => navigate({ to: '/', search: { server: connection.id } })}
            >
              <div className={classes.serverItemName}>
                {colorOf(lookOf(connection)) && <ConnectionSwatch look={lookOf(connection)} />}
                <span className={classes.serverName}>
                  {lookOf(connection).label ?? serverName(connection)}
                </span>
                {lookOf(connection).isProduction && <ProductionMark />}
              </div>
              <div className={classes.serverAddress}>
                {connection.userId} · {connection.baseUrl}
              </div>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPalette size={14} />} onClick={() => navigate({ to: '/settings' })}>
            {i18n.t('Labels and colors…')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => navigate({ to: '/connect' })}>
            {i18n.t('Connect to another server…')}
          </Menu.Item>
        </Menu.Dropdown>
      </ButtonMenu>
      {look.isProduction && <ProductionMark />}
      {version.data && <span className={classes.serverVersion}>{version.data.server_version}</span>}
      <span className={classes.dialect} title={i18n.t('API paths')}>
        {dialects[server.connection.dialect].administration}
      </span>
      <output className={classes.reachability} aria-label={i18n.t('Connection')}>
        {state !== 'connected' && state !== 'unknown' && i18n.t(stateLabels[state])}
      </output>
      {(state === 'offline' || state === 'failing') && (
        <Button
          className={classes.retry}
          variant="default"
          size="compact-xs"
          loading={version.isFetching}
          onClick={() => queryClient.refetchQueries({ queryKey: [server.id], type: 'active' })}
        >
          {i18n.t('Retry now')}
        </Button>
      )}
    </>
  );
}

const ProductionMark = () => (
  <StateMark words={i18n.t('Production')} tone="danger" icon={IconAlertTriangle} />
);

/** Replaces the server switcher if the user isn't signed in anywhere. */
export function NoServer() {
  const navigate = useNavigate();
  return (
    <ButtonWithIcon variant="subtle" icon={IconPlus} onClick={() => navigate({ to: '/connect' })}>
      {i18n.t('Connect to a server…')}
    </ButtonWithIcon>
  );
}
