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
export default function Overview() {
  const { shell } = useConsole().host;
  return (
    <div className={classes.page}>
      <div className={classes.column}>
        <div className={classes.half}>
          {shell ? <ShellOverview shell={shell} /> : <StateFromServer />}
          <PageSection
            title={i18n.t('In each dialect')}
            description={i18n.t('The same interface has two spellings; these are what the server answers.')}
          >
            <Addresses />
          </PageSection>
          <PageSection
            title={i18n.t('To begin with')}
            description={i18n.t('For a client that is to talk to this server.')}
          >
            <Snippets />
          </PageSection>
        </div>
        <div className={classes.half}>
          <PageSection
            title={i18n.t('The last hour')}
            description={i18n.t('Of this process, every ten seconds. It begins anew when the server does.')}
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
    <PageSection title={i18n.t('State')}>
      <Loaded
        query={query}
        loading={i18n.t('Asking how it is run…')}
        gone={i18n.t("This server doesn't say how it is run.")}
      >
        {(state) =>
          state === null ? (
            <>
              <StateWord status="running" />
              <p className={classes.dim}>
                {i18n.t(
                  'It was started by npm run gatehouse -- serve, which takes no orders from here: stop it there, with Ctrl C. npm start runs one that can be restarted and reset on this screen.',
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
                  <CopyText text={state.data_dir} label={i18n.t('Where the data is')} />
                </dd>
                <dt>{i18n.t('Configuration')}</dt>
                <dd>
                  <CopyText text={state.configuration_path} label={i18n.t('Where the configuration is')} />
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
