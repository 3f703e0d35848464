import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { useQuery } from '@tanstack/react-query';
import { serverSoftwareQuery } from '../api/server.ts';
import { useConsole, useServer } from '../console-context.ts';

const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Says how to add sample data to a local Gatehouse server. */
export function SampleDataHint() {
  const { host } = useConsole();
  const server = useServer();
  const { local, baseUrl } = server.connection;
  const { data: software } = useQuery({ ...serverSoftwareQuery(server), enabled: !local });
  if (!local && !(software === 'Gatehouse' && localHosts.includes(new URL(baseUrl).hostname))) return null;
  if (host.shell) {
    return i18n.t('For sample data, choose “Add sample data to the local server” in the menu.');
  }
  return (
    <Trans
      id="For sample data on a local server, run <0>npm run gatehouse -- sample-data</0>."
      components={{ 0: <code /> }}
    />
  );
}
