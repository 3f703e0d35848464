import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TemporaryServer } from '../../../../shared/workbench/host.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { PageSection } from '../../../components/page/Page.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import type { LocalProgram } from '../../../transport/host.ts';
import classes from '../LocalServer.module.css';
import { useProgram } from '../server-operations.ts';
import { hostStateQuery, useWorkbench } from '../workbench-context.ts';
import overviewClasses from './Overview.module.css';

/** Starts and stops temporary servers, if the process that runs this server can do so. */
export function TemporaryServers() {
  const workbench = useWorkbench();
  const program = useProgram();
  const { data: state } = useQuery(hostStateQuery(workbench));
  const title = i18n.t('Temporary servers');
  const description = i18n.t('Ready immediately, with an admin. Data is deleted on stop.');
  // `program.start` exists in the desktop app, which always can. In a browser, wait for the host state.
  if (!program || (!program.start && state === undefined)) return null;
  if (!program.start && state === null) {
    return (
      <PageSection title={title} description={description}>
        <p className={classes.dim}>{i18n.t('In a terminal:')}</p>
        <div>
          <CopyText
            text="npm run gatehouse -- serve --temporary"
            label={i18n.t('Temporary server command')}
          />
        </div>
      </PageSection>
    );
  }
  return (
    <PageSection title={title} description={description}>
      <TemporaryServerList program={program} connectionId={workbench.connection.id} />
    </PageSection>
  );
}

const temporaryServersQuery = (program: LocalProgram, connectionId: string) =>
  queryOptions({
    queryKey: [connectionId, 'workbench', 'temporary-servers'],
    queryFn: () => program.temporaryServers(),
  });

function TemporaryServerList({ program, connectionId }: { program: LocalProgram; connectionId: string }) {
  const queryClient = useQueryClient();
  const options = temporaryServersQuery(program, connectionId);
  const query = useQuery(options);
  const [name, setName] = useState('');
  /** The last started server, whose token is shown once. */
  const [started, setStarted] = useState<TemporaryServer>();

  const start = useMutation({
    mutationFn: () => program.startTemporaryServer(name || undefined),
    onSuccess: (server) => {
      setStarted(server);
      setName('');
      return queryClient.invalidateQueries(options);
    },
    gcTime: 0,
  });
  const stop = useMutation({
    mutationFn: (name: string) => program.stopTemporaryServer(name),
    onSuccess: (_, name) => {
      if (started?.name === name) setStarted(undefined);
      return queryClient.invalidateQueries(options);
    },
  });
  const isValidName = name === '' || /^[a-z0-9][a-z0-9-]{0,39}$/.test(name);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (isValidName && !start.isPending) start.mutate();
  }

  return (
    <>
      <form className={classes.fields} onSubmit={submit} noValidate>
        <TextInput
          label={i18n.t('Name')}
          placeholder={i18n.t('Generated if empty')}
          value={name}
          error={isValidName ? undefined : i18n.t('Use lowercase letters, digits and hyphens.')}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        <ButtonWithIcon
          type="submit"
          variant="default"
          icon={IconPlayerPlay}
          disabled={!isValidName}
          loading={start.isPending}
        >
          {i18n.t('Start temporary server')}
        </ButtonWithIcon>
      </form>
      <FailureNote className={classes.message} error={start.error ?? stop.error} />
      {started && (
        <section className={classes.panel} aria-label={started.name}>
          <p role="status">{i18n.t('{name} is running. Admin token, shown once:', { name: started.name })}</p>
          <dl className={classes.facts}>
            <dt>{i18n.t('Server URL')}</dt>
            <dd>
              <CopyText text={started.url} label={i18n.t('Address of {name}', { name: started.name })} />
            </dd>
            <dt>{i18n.t('Admin')}</dt>
            <dd>
              <CopyText text={started.user_id} label={started.user_id} />
            </dd>
            <dt>{i18n.t('Access token')}</dt>
            <dd>
              <CopyText text={started.access_token} label={i18n.t('Access token')} />
            </dd>
          </dl>
        </section>
      )}
      <Loaded
        query={query}
        loading={i18n.t('Loading temporary servers…')}
        notFound={i18n.t('No temporary servers')}
      >
        {(servers) =>
          servers.length === 0 ? (
            <p className={classes.dim}>{i18n.t('No temporary servers')}</p>
          ) : (
            <ul className={overviewClasses.servers}>
              {servers.map((server) => (
                <li key={server.name} className={overviewClasses.server}>
                  <span className={overviewClasses.serverName}>{server.name}</span>
                  <CopyText text={server.url} label={i18n.t('Address of {name}', { name: server.name })} />
                  <Button
                    variant="default"
                    onClick={() => stop.mutate(server.name)}
                    loading={stop.isPending && stop.variables === server.name}
                    aria-label={i18n.t('Stop {name}', { name: server.name })}
                  >
                    {i18n.t('Stop')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
