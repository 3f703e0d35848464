import { i18n } from '@lingui/core';
import { useQuery } from '@tanstack/react-query';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { useConsole } from '../../../console-context.ts';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { hostStateQuery, useBench } from '../bench.ts';
import { HostControls } from '../HostControls.tsx';
import { useHostWork } from '../host-work.ts';
import classes from '../LocalServer.module.css';
import { StateWord } from '../ServerState.tsx';
import { ShellOverview } from '../ShellOverview.tsx';
import { Addresses } from './Addresses.tsx';
import { Figures } from './Figures.tsx';
import { Snippets } from './Snippets.tsx';
import { Throwaways } from './Throwaways.tsx';

/** The server as a whole: its state, where it is, how to talk to it, and what it did in the last hour. */
export function Overview() {
  const { shell } = useConsole().host;
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <div className={classes.half}>
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
        <div className={classes.half}>
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
              <p className={classes.dim}>
                {i18n.t(
                  'Started by npm run gatehouse -- serve; stop it there with Ctrl+C. To restart and reset here, use npm start.',
                )}
              </p>
            </>
          ) : (
            <>
              <StateWord status={doing && doing.work !== 'stop' ? 'starting' : state.status} />
              {state.message && <p className={classes.message}>{state.message}</p>}
              <dl className={classes.facts}>
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
