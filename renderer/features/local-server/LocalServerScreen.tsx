import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { connectionsQuery } from '../../api/shell.ts';
import { PageTabs } from '../../components/page/PageTabs.tsx';
import { useTabTitle } from '../../components/page/use-window-title.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { Backups } from './backups/Backups.tsx';
import { Configuration } from './configuration/Configuration.tsx';
import { LocalServerStatus } from './HostControls.tsx';
import { JwtTools } from './jwt/JwtTools.tsx';
import classes from './LocalServer.module.css';
import { Overview } from './overview/Overview.tsx';
import { Requests } from './requests/Requests.tsx';
import { UsersAndData } from './users/UsersAndData.tsx';
import { WorkbenchGate } from './WorkbenchGate.tsx';

const overview = { id: 'overview', name: /*i18n*/ 'Overview', Part: Overview };
const parts = [
  overview,
  { id: 'users', name: /*i18n*/ 'Users and data', Part: UsersAndData },
  { id: 'jwt', name: /*i18n*/ 'JWT', Part: JwtTools },
  { id: 'requests', name: /*i18n*/ 'Requests', Part: Requests },
  { id: 'configuration', name: /*i18n*/ 'Configuration', Part: Configuration },
  { id: 'backups', name: /*i18n*/ 'Backups', Part: Backups },
];

/** Developer tools for the homeserver on this computer. */
export function LocalServerScreen() {
  const { host } = useConsole();
  const current = useServerIfAny();
  const navigate = useNavigate();
  const { part: partId } = useParams({ strict: false });
  const { data: connections } = useQuery({ ...connectionsQuery(host), enabled: host.shell !== undefined });
  const connection = host.shell ? connections?.find(({ local }) => local) : current?.connection;
  const { id, name, Part } = parts.find((each) => each.id === partId) ?? overview;
  useTabTitle(id === overview.id ? '' : i18n.t(name));

  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        <h1 className={classes.title}>{i18n.t('Local server')}</h1>
        {host.shell && <LocalServerStatus shell={host.shell} />}
      </header>
      <PageTabs
        label={i18n.t('Local server sections')}
        tabs={parts.map((each) => ({ id: each.id, name: i18n.t(each.name) }))}
        current={id}
        onChange={(next) =>
          navigate(
            next === overview.id
              ? { to: '/local-server' }
              : { to: '/local-server/$part', params: { part: next } },
          )
        }
      >
        <WorkbenchGate connection={connection} isOverview={id === overview.id}>
          <Part />
        </WorkbenchGate>
      </PageTabs>
    </div>
  );
}
