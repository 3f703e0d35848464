import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { connectionsQuery } from '../../api/shell.ts';
import { PageTabs } from '../../components/PageTabs.tsx';
import { useTabTitle } from '../../components/use-window-title.ts';
import { useConsole, useServerIfAny } from '../../console-context.ts';
import { BenchOf } from './BenchOf.tsx';
import { Backups } from './backups/Backups.tsx';
import { Configuration } from './configuration/Configuration.tsx';
import { ServerState } from './HostControls.tsx';
import { JwtBench } from './jwt/JwtBench.tsx';
import classes from './LocalServer.module.css';
import { Overview } from './overview/Overview.tsx';
import { People } from './people/People.tsx';
import { Requests } from './requests/Requests.tsx';

const overview = { id: 'overview', name: /*i18n*/ 'Overview', Part: Overview };
/** In the order of their tabs; each has an address of its own. */
const parts = [
  overview,
  { id: 'users', name: /*i18n*/ 'Users and data', Part: People },
  { id: 'jwt', name: /*i18n*/ 'JWT', Part: JwtBench },
  { id: 'requests', name: /*i18n*/ 'Requests', Part: Requests },
  { id: 'configuration', name: /*i18n*/ 'Configuration', Part: Configuration },
  { id: 'backups', name: /*i18n*/ 'Backups', Part: Backups },
];

/** The homeserver on this machine, seen through and through: for who develops and tests against it. */
export function LocalServerScreen() {
  const { host } = useConsole();
  const current = useServerIfAny();
  const navigate = useNavigate();
  const { part: wanted } = useParams({ strict: false });
  const { data: connections } = useQuery({ ...connectionsQuery(host), enabled: host.shell !== undefined });
  const connection = host.shell ? connections?.find(({ local }) => local) : current?.connection;
  const { id, name, Part } = parts.find((each) => each.id === wanted) ?? overview;
  useTabTitle(id === overview.id ? '' : i18n.t(name));

  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        <h1 className={classes.title}>{i18n.t('Local server')}</h1>
        {host.shell && <ServerState shell={host.shell} />}
      </header>
      <PageTabs
        label={i18n.t('Local server sections')}
        tabs={parts.map((each) => ({ id: each.id, name: i18n.t(each.name) }))}
        current={id}
        onChange={(next) =>
          navigate(
            next === overview.id
              ? { to: '/local-server', search: ({ server }) => ({ server }) }
              : { to: '/local-server/$part', params: { part: next }, search: ({ server }) => ({ server }) },
          )
        }
      >
        <BenchOf connection={connection} isOverview={id === overview.id}>
          <Part />
        </BenchOf>
      </PageTabs>
    </div>
  );
}
