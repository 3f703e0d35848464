import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Throwaway } from '../../../../shared/workbench/host.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import type { LocalProgram } from '../../../transport/local-host.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { hostStateQuery, useBench } from '../bench.ts';
import { useProgram } from '../host-work.ts';
import classes from '../LocalServer.module.css';
import own from './Overview.module.css';

/** Servers beside this one, whose data goes with them; only where a program runs this one that can run more. */
export function Throwaways() {
  const bench = useBench();
  const program = useProgram();
  const { data: state } = useQuery(hostStateQuery(bench));
  const title = i18n.t('Temporary servers');
  const description = i18n.t('Ready immediately, with an admin. Data is deleted on stop.');
  // In the app it is the app that runs them; elsewhere it has to be known whether something does.
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
      <ThrowawayList program={program} connectionId={bench.connection.id} />
    </PageSection>
  );
}

const throwawaysQuery = (program: LocalProgram, connectionId: string) =>
  queryOptions({
    queryKey: [connectionId, 'workbench', 'throwaways'],
    queryFn: () => program.throwaways(),
  });

function ThrowawayList({ program, connectionId }: { program: LocalProgram; connectionId: string }) {
  const queryClient = useQueryClient();
  const asked = throwawaysQuery(program, connectionId);
  const query = useQuery(asked);
  const [name, setName] = useState('');
  /** Their tokens are shown where they were started, and once. */
  const [fresh, setFresh] = useState<Throwaway>();

  const start = useMutation({
    mutationFn: () => program.startThrowaway(name || undefined),
    onSuccess: (server) => {
      setFresh(server);
      setName('');
      return queryClient.invalidateQueries(asked);
    },
    gcTime: 0,
  });
  const stop = useMutation({
    mutationFn: (which: string) => program.stopThrowaway(which),
    onSuccess: (_, which) => {
      if (fresh?.name === which) setFresh(undefined);
      return queryClient.invalidateQueries(asked);
    },
  });
  const isSpelt = name === '' || /^[a-z0-9][a-z0-9-]{0,39}$/.test(name);

  function go(event: FormEvent) {
    event.preventDefault();
    if (isSpelt && !start.isPending) start.mutate();
  }

  return (
    <>
      <form className={classes.fields} onSubmit={go} noValidate>
        <TextInput
          label={i18n.t('Name')}
          placeholder={i18n.t('Generated if empty')}
          value={name}
          error={isSpelt ? undefined : i18n.t('Use lowercase letters, digits and hyphens.')}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          autoComplete="off"
          spellCheck={false}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          disabled={!isSpelt}
          loading={start.isPending}
        >
          {i18n.t('Start temporary server')}
        </Button>
      </form>
      {(start.error ?? stop.error) && (
        <p className={classes.message} role="alert">
          {failureSentence((start.error ?? stop.error) as Error)}
        </p>
      )}
      {fresh && (
        <section className={classes.panel} aria-label={fresh.name}>
          <p role="status">{i18n.t('{name} is running. Admin token, shown once:', { name: fresh.name })}</p>
          <dl className={classes.facts}>
            <dt>{i18n.t('Server URL')}</dt>
            <dd>
              <CopyText text={fresh.url} label={i18n.t('Address of {name}', { name: fresh.name })} />
            </dd>
            <dt>{i18n.t('Admin')}</dt>
            <dd>
              <CopyText text={fresh.user_id} label={fresh.user_id} />
            </dd>
            <dt>{i18n.t('Access token')}</dt>
            <dd>
              <CopyText text={fresh.access_token} label={i18n.t('Access token')} />
            </dd>
          </dl>
        </section>
      )}
      <Loaded
        query={query}
        loading={i18n.t('Loading temporary servers…')}
        gone={i18n.t('No temporary servers')}
      >
        {(servers) =>
          servers.length === 0 ? (
            <p className={classes.dim}>{i18n.t('No temporary servers')}</p>
          ) : (
            <ul className={own.servers}>
              {servers.map((server) => (
                <li key={server.name} className={own.server}>
                  <span className={own.serverName}>{server.name}</span>
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
