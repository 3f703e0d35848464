import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconRefresh, IconRestore } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import type { LocalServerState } from '../../../shared/bridge.ts';
import { localServerQuery } from '../../api/shell.ts';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { StatusDot } from '../../components/StatusDot.tsx';
import { useCommands } from '../../console-context.ts';
import type { Shell } from '../../transport/host.ts';
import type { LocalProgram } from '../../transport/local-host.ts';
import type { Reachability } from '../../transport/reachability.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';
import type { Workbench } from '../../transport/workbench.ts';
import { Bench, hostStateQuery } from './bench.ts';
import {
  hostWork,
  startsOf,
  untilItRunsAgain,
  useHostWork,
  useLastHostWork,
  useProgram,
  useReplacing,
} from './host-work.ts';
import classes from './LocalServer.module.css';
import { Replaced } from './Replaced.tsx';

const words: Record<LocalServerState['status'], { text: string; dot: Reachability }> = {
  starting: { text: /*i18n*/ 'Starting', dot: 'slow' },
  running: { text: /*i18n*/ 'Running', dot: 'connected' },
  restarting: { text: /*i18n*/ 'Restarting after crash', dot: 'slow' },
  failed: { text: /*i18n*/ 'Stopped, no automatic restart', dot: 'offline' },
  stopped: { text: /*i18n*/ 'Stopped', dot: 'offline' },
};

/** How the server in the box is, in a word; why it is so, where the shell says more. */
export function ServerState({ shell }: { shell: Shell }) {
  const { data: state } = useQuery(localServerQuery(shell));
  return (
    <>
      <StateWord status={state?.status ?? 'starting'} />
      {state?.message && (
        <p className={classes.message}>{i18n.t(state.message.sentence, state.message.values)}</p>
      )}
    </>
  );
}

export function StateWord({ status }: { status: LocalServerState['status'] }) {
  const { text, dot } = words[status];
  return (
    <output className={classes.status} aria-label={i18n.t('Local server status')}>
      <StatusDot state={dot} />
      {i18n.t(text)}
    </output>
  );
}

/** In milliseconds. */
const saidFor = 60_000;

/** Starts, stops, restarts and resets the server, as far as the program that runs it can be asked to from here. */
export function HostControls({ status }: { status: LocalServerState['status'] }) {
  const program = useProgram();
  const bench = useContext(Bench);
  const queryClient = useQueryClient();
  const [isResetting, setResetting] = useState(false);
  const [isStopping, setStopping] = useState(false);

  const start = useMutation({ mutationKey: hostWork('start'), mutationFn: async () => program?.start?.() });
  const stop = useMutation({
    mutationKey: hostWork('stop'),
    mutationFn: async () => program?.stop(),
    onSuccess() {
      setStopping(false);
      // Nobody is left who could say so.
      if (bench && !program?.start) {
        const { queryKey } = hostStateQuery(bench);
        queryClient.setQueryData(queryKey, (known) => known && { ...known, status: 'stopped' as const });
      }
    },
  });
  const restart = useMutation({
    mutationKey: hostWork('restart'),
    mutationFn: async () => {
      // What the page asks over HTTP is answered before the server goes.
      const starts = bench && !program?.start ? await startsOf(bench) : undefined;
      await program?.restart();
      if (bench && starts !== undefined) await untilItRunsAgain(bench, starts);
    },
    onSuccess: () => queryClient.invalidateQueries(),
  });
  // The page is another one while the server is away: what became of it outlives that.
  const last = useLastHostWork();
  const restarted = last?.work === 'restart' && Date.now() - last.askedFor < saidFor;
  const doing = useHostWork();
  /** Whatever it is, the next thing waits for it. */
  const isBusy = doing !== undefined;
  const isDown = status === 'stopped' || status === 'failed';
  const canStart = isDown && program?.start !== undefined;
  /** Who started it has to do so again. */
  const isGone = status === 'stopped' && !program?.start;
  const askToStop = () => (program?.start ? stop.mutate() : setStopping(true));

  useCommands(
    program && !isBusy && !isGone
      ? [
          {
            group: i18n.t('Local server'),
            ...(canStart
              ? {
                  id: 'start server',
                  label: i18n.t('Start local server'),
                  icon: <IconPlayerPlay size={17} stroke={1.6} />,
                  run: () => start.mutate(),
                }
              : {
                  id: 'restart server',
                  label: i18n.t('Restart local server'),
                  icon: <IconRefresh size={17} stroke={1.6} />,
                  run: () => restart.mutate(),
                }),
          },
          ...(isDown
            ? []
            : [
                {
                  id: 'stop server',
                  label: i18n.t('Stop local server'),
                  group: i18n.t('Local server'),
                  icon: <IconPlayerStop size={17} stroke={1.6} />,
                  run: askToStop,
                },
              ]),
        ]
      : [],
  );
  if (!program) return null;
  const failure = start.error ?? stop.error ?? restart.error;
  return (
    <>
      <div className={classes.buttons}>
        {canStart && (
          <Button
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            onClick={() => start.mutate()}
            loading={start.isPending}
            disabled={isBusy}
          >
            {i18n.t('Start')}
          </Button>
        )}
        {!isGone && !canStart && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={() => restart.mutate()}
            // Also while it starts: one that hangs has to be got out of that.
            loading={restart.isPending}
            disabled={isBusy}
          >
            {i18n.t('Restart')}
          </Button>
        )}
        {!isDown && (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={14} aria-hidden />}
            onClick={askToStop}
            loading={stop.isPending}
            disabled={isBusy}
          >
            {i18n.t('Stop')}
          </Button>
        )}
        {bench && !isGone && (
          <Button
            variant="default"
            leftSection={<IconRestore size={14} aria-hidden />}
            onClick={() => setResetting(true)}
            disabled={isBusy}
          >
            {i18n.t('Reset…')}
          </Button>
        )}
      </div>
      {doing && <output className={classes.dim}>{i18n.t(doing.sentence)}</output>}
      {!isBusy && restarted && <output className={classes.dim}>{i18n.t('Server restarted')}</output>}
      {isGone && (
        <p role="status">
          {i18n.t('Stopping. Restart in its terminal: npm start, or npm run gatehouse -- serve.')}
        </p>
      )}
      {failure && (
        <p className={classes.message} role="alert">
          {failureSentence(failure)}
        </p>
      )}
      {isStopping && (
        <section className={classes.panel} aria-label={i18n.t('Stop local server')}>
          <p>{i18n.t("This page can't restart the server. Use its terminal.")}</p>
          <div className={classes.buttons}>
            <Button onClick={() => stop.mutate()} loading={stop.isPending}>
              {i18n.t('Stop server')}
            </Button>
            <Button variant="default" onClick={() => setStopping(false)}>
              {i18n.t('Cancel')}
            </Button>
          </div>
        </section>
      )}
      {bench && <Replaced bench={bench} program={program} />}
      {isResetting && bench && (
        <ResetServer bench={bench} program={program} onClose={() => setResetting(false)} />
      )}
    </>
  );
}

type Props = { bench: Workbench; program: LocalProgram; onClose: () => void };

/** Begins anew with an empty server; what was there is kept beside it. Its name has to be typed. */
function ResetServer({ bench, program, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const name = serverName(bench.connection);

  const reset = useReplacing(bench, 'reset', program.reset);

  return (
    <section className={classes.panel} aria-label={i18n.t('Reset server')}>
      <ConfirmForm
        label={i18n.t('Reset server')}
        failure={reset.error ? failureSentence(reset.error) : undefined}
        busy={reset.isPending}
        disabled={typed !== name}
        onSubmit={() => reset.mutate(undefined, { onSuccess: onClose })}
        onCancel={onClose}
      >
        <p>
          {i18n.t(
            'Deletes all users, rooms, messages, reports and sessions. Keeps the configuration and a copy of the data.',
          )}
        </p>
        <TextInput
          data-autofocus
          label={i18n.t('Type {name} to confirm', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </ConfirmForm>
    </section>
  );
}
