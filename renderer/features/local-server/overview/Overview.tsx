import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { type DialectName, dialects } from '../../../../shared/dialect.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { useConsole } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { hostStateQuery, useBench } from '../bench.ts';
import { HostControls, StateWord } from '../HostControls.tsx';
import { useHostWork } from '../host-work.ts';
import localServerClasses from '../LocalServer.module.css';
import { ShellOverview } from '../ShellOverview.tsx';
import { Figures } from './Figures.tsx';
import classes from './Overview.module.css';
import { answeredDialectsQuery, Snippets } from './Snippets.tsx';
import { Throwaways } from './Throwaways.tsx';

/** The server as a whole: its state, where it is, how to talk to it, and what it did in the last hour. */
export function Overview() {
  const { shell } = useConsole().host;
  return (
    <div className={localServerClasses.page}>
      <div className={localServerClasses.column}>
        <div className={localServerClasses.half}>
          {shell ? <ShellOverview shell={shell} /> : <StateFromServer />}
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
            <Figures />
          </PageSection>
          <Throwaways />
        </div>
      </div>
    </div>
  );
}

/** In a browser: what the program says that runs the server, where one does that takes orders. */
function StateFromServer() {
  const query = useQuery(hostStateQuery(useBench()));
  const doing = useHostWork();
  return (
    <PageSection title={i18n.t('Status')}>
      <Loaded query={query} loading={i18n.t('Loading status…')} gone={i18n.t('Server status not available')}>
        {(state) =>
          state === null ? (
            <>
              <StateWord status="running" />
              <p className={localServerClasses.dim}>
                {i18n.t(
                  'Started by npm run gatehouse -- serve; stop it there with Ctrl+C. To restart and reset here, use npm start.',
                )}
              </p>
            </>
          ) : (
            <>
              <StateWord status={doing && doing.work !== 'stop' ? 'starting' : state.status} />
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

const names = { vendor: /*i18n*/ 'Generic', matrix: /*i18n*/ 'Synapse' };

/** Where clients and administrators find the server, in each spelling of the interface that it answers. */
function Addresses() {
  const bench = useBench();
  return (
    <Loaded
      query={useQuery(answeredDialectsQuery(bench))}
      loading={i18n.t('Loading addresses…')}
      lines={2}
      gone={i18n.t('Not supported by this server.')}
    >
      {({ dialects: answered }) => <AddressTable baseUrl={bench.connection.baseUrl} answered={answered} />}
    </Loaded>
  );
}

type Props = { baseUrl: string; answered: readonly DialectName[] };

function AddressTable({ baseUrl, answered }: Props) {
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
        {answered.map((name) => {
          const { chat, administration } = dialects[name];
          const [clients, administrators] = [baseUrl + chat, baseUrl + administration];
          return (
            <tr key={name}>
              <th scope="row">{i18n.t(names[name])}</th>
              <td>
                <CopyText text={clients} label={clients} />
              </td>
              <td>
                <CopyText text={administrators} label={administrators} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
