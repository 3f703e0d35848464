import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type DialectName, dialects } from '../../../../shared/dialect.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { useConsole } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { HostControls, StatusLabel } from '../HostControls.tsx';
import localServerClasses from '../LocalServer.module.css';
import { ShellOverview } from '../ShellOverview.tsx';
import { useRunningOperation } from '../server-operations.ts';
import { hostStateQuery, useWorkbench } from '../workbench-context.ts';
import { Metrics } from './Metrics.tsx';
import classes from './Overview.module.css';
import { Snippets, supportedDialectsQuery } from './Snippets.tsx';
import { TemporaryServers } from './TemporaryServers.tsx';

export function Overview() {
  const { shell } = useConsole().host;
  return (
    <div className={localServerClasses.page}>
      <div className={localServerClasses.column}>
        <div className={localServerClasses.half}>
          {shell ? <ShellOverview shell={shell} /> : <HostStatus />}
          <PageSection title={i18n.t('API paths')} description={i18n.t('Base URLs of each API.')}>
            <Addresses />
          </PageSection>
          <PageSection
            title={i18n.t('Getting started')}
            description={i18n.t('Client settings for this server.')}
          >
            <Snippets />
          </PageSection>
        </div>
        <div className={localServerClasses.half}>
          <PageSection
            title={i18n.t('Last hour')}
            description={i18n.t('Sampled every ten seconds. Cleared on restart.')}
          >
            <Metrics />
          </PageSection>
          <TemporaryServers />
        </div>
      </div>
    </div>
  );
}

/** The server's status in a browser, with controls if its process accepts them over HTTP. */
function HostStatus() {
  const query = useQuery(hostStateQuery(useWorkbench()));
  const running = useRunningOperation();
  return (
    <PageSection title={i18n.t('Status')}>
      <Loaded
        query={query}
        loading={i18n.t('Loading status…')}
        notFound={i18n.t('Server status not available')}
      >
        {(state) =>
          state === null ? (
            <>
              <StatusLabel status="running" />
              <p className={localServerClasses.dim}>
                {i18n.t(
                  'Started by npm run gatehouse -- serve; stop it there with Ctrl+C. To restart and reset here, use npm start.',
                )}
              </p>
            </>
          ) : (
            <>
              <StatusLabel status={running && running.operation !== 'stop' ? 'starting' : state.status} />
              {state.message && <p className={localServerClasses.message}>{state.message}</p>}
              <dl className={localServerClasses.facts}>
                <dt>{i18n.t('Data')}</dt>
                <dd>
                  <CopyText text={state.data_dir} label={i18n.t('Data path')} />
                </dd>
                <dt>{i18n.t('Configuration')}</dt>
                <dd>
                  <CopyText text={state.configuration_path} label={i18n.t('Configuration path')} />
                </dd>
              </dl>
              <HostControls status={state.status} />
            </>
          )
        }
      </Loaded>
    </PageSection>
  );
}

const dialectNames = { vendor: /*i18n*/ 'Generic', matrix: /*i18n*/ 'Synapse' };

function Addresses() {
  const workbench = useWorkbench();
  return (
    <Loaded
      query={useQuery(supportedDialectsQuery(workbench))}
      loading={i18n.t('Loading addresses…')}
      lines={2}
      notFound={i18n.t('Not supported by this server.')}
    >
      {({ dialects }) => <AddressTable baseUrl={workbench.connection.baseUrl} names={dialects} />}
    </Loaded>
  );
}

function AddressTable({ baseUrl, names }: { baseUrl: string; names: readonly DialectName[] }) {
  return (
    <table className={classes.addresses}>
      <thead>
        <tr>
          <th scope="col">{i18n.t('API paths')}</th>
          <th scope="col">{i18n.t('Client API')}</th>
          <th scope="col">{i18n.t('Admin API')}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const { chat, administration } = dialects[name];
          const [clientUrl, adminUrl] = [baseUrl + chat, baseUrl + administration];
          return (
            <tr key={name}>
              <th scope="row">{i18n.t(dialectNames[name])}</th>
              <td>
                <CopyText text={clientUrl} label={clientUrl} />
              </td>
              <td>
                <CopyText text={adminUrl} label={adminUrl} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
