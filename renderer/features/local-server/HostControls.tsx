import { i18n } from '@lingui/core';
import { Button, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconRefresh, IconRestore } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import type { LocalServerState } from '../../../shared/bridge.ts';
import { localServerQuery } from '../../api/shell.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { ConfirmForm } from '../../components/ConfirmForm.tsx';
import { FailureNote } from '../../components/LoadStates.tsx';
import { StatusDot } from '../../components/StatusDot.tsx';
import { useCommands } from '../../console-context.ts';
import type { LocalProgram, Shell } from '../../transport/host.ts';
import type { Reachability } from '../../transport/reachability.ts';
import { failureSentence } from '../../transport/refusal.ts';
import { serverName } from '../../transport/server-name.ts';
import type { Workbench } from '../../transport/workbench.ts';
import classes from './LocalServer.module.css';
import { PreviousData } from './PreviousData.tsx';
import {
  operationKey,
  startCountOf,
  useDataReplacement,
  useLastOperation,
  useProgram,
  useRunningOperation,
  waitForRestart,
} from './server-operations.ts';
import { hostStateQuery, WorkbenchContext } from './workbench-context.ts';

const statuses: Record<LocalServerState['status'], { text: string; dot: Reachability }> = {
  starting: { text: /*i18n*/ 'Starting', dot: 'slow' },
  running: { text: /*i18n*/ 'Running', dot: 'connected' },
  restarting: { text: /*i18n*/ 'Restarting after crash', dot: 'slow' },
  failed: { text: /*i18n*/ 'Stopped, no automatic restart', dot: 'offline' },
  stopped: { text: /*i18n*/ 'Stopped', dot: 'offline' },
};

/** Shows the status of the built-in homeserver, and its reason if there is one. */
export function LocalServerStatus({ shell }: { shell: Shell }) {
  const { data: state } = useQuery(localServerQuery(shell));
  return (
    <>
      <StatusLabel status={state?.status ?? 'starting'} />
      {state?.message && (
        <p className={classes.message}>{i18n.t(state.message.sentence, state.message.values)}</p>
      )}
    </>
  );
}

export function StatusLabel({ status }: { status: LocalServerState['status'] }) {
  const { text, dot } = statuses[status];
  return (
    <output className={classes.status} aria-label={i18n.t('Local server status')}>
      <StatusDot state={dot} />
      {i18n.t(text)}
    </output>
  );
}

/** How long a finished restart is mentioned. */
const restartNoticeMs = 60_000;

/** Buttons to start, stop, restart and reset the server, as far as its process can be controlled from here. */
export function HostControls({ status }: { status: LocalServerState['status'] }) {
  const program = useProgram();
  const workbench = useContext(WorkbenchContext);
  const queryClient = useQueryClient();
  const [isResetting, setResetting] = useState(false);
  const [isStopping, setStopping] = useState(false);

  const start = useMutation({
    mutationKey: operationKey('start'),
    mutationFn: async () => program?.start?.(),
  });
  const stop = useMutation({
    mutationKey: operationKey('stop'),
    mutationFn: async () => program?.stop(),
    onSuccess() {
      setStopping(false);
      // The stopped server can't report its new state.
      if (workbench && !program?.start) {
        const { queryKey } = hostStateQuery(workbench);
        queryClient.setQueryData(queryKey, (state) => state && { ...state, status: 'stopped' as const });
      }
    },
  });
  const restart = useMutation({
    mutationKey: operationKey('restart'),
    mutationFn: async () => {
      // Over HTTP, the response arrives before the server stops.
      const starts = workbench && !program?.start ? await startCountOf(workbench) : undefined;
      await program?.restart();
      if (workbench && starts !== undefined) await waitForRestart(workbench, starts);
    },
    onSuccess: () => queryClient.invalidateQueries(),
  });
  // From the cache: this component unmounts while the server is away.
  const last = useLastOperation();
  const hasRestarted = last?.operation === 'restart' && Date.now() - last.startedAt < restartNoticeMs;
  const running = useRunningOperation();
  const isBusy = running !== undefined;
  const isDown = status === 'stopped' || status === 'failed';
  const canStart = isDown && program?.start !== undefined;
  /** Stopped, and this page can't start it. */
  const isGone = status === 'stopped' && !program?.start;
  const requestStop = () => (program?.start ? stop.mutate() : setStopping(true));

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
                  run: requestStop,
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
          <ButtonWithIcon
            icon={IconPlayerPlay}
            onClick={() => start.mutate()}
            loading={start.isPending}
            disabled={isBusy}
          >
            {i18n.t('Start')}
          </ButtonWithIcon>
        )}
        {!isGone && !canStart && (
          <ButtonWithIcon
            variant="default"
            icon={IconRefresh}
            onClick={() => restart.mutate()}
            // Enabled while starting, so that a hanging start can be restarted.
            loading={restart.isPending}
            disabled={isBusy}
          >
            {i18n.t('Restart')}
          </ButtonWithIcon>
        )}
        {!isDown && (
          <ButtonWithIcon
            variant="default"
            icon={IconPlayerStop}
            onClick={requestStop}
            loading={stop.isPending}
            disabled={isBusy}
          >
            {i18n.t('Stop')}
          </ButtonWithIcon>
        )}
        {workbench && !isGone && (
          <ButtonWithIcon
            variant="default"
            icon={IconRestore}
            onClick={() => setResetting(true)}
            disabled={isBusy}
          >
            {i18n.t('Reset…')}
          </ButtonWithIcon>
        )}
      </div>
      {running && <output className={classes.dim}>{i18n.t(running.sentence)}</output>}
      {!isBusy && hasRestarted && <output className={classes.dim}>{i18n.t('Server restarted')}</output>}
      {isGone && (
        <p role="status">
          {i18n.t('Stopping. Restart in its terminal: npm start, or npm run gatehouse -- serve.')}
        </p>
      )}
      <FailureNote className={classes.message} error={failure} />
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
      {workbench && <PreviousData workbench={workbench} program={program} />}
      {isResetting && workbench && (
        <ResetServer workbench={workbench} program={program} onClose={() => setResetting(false)} />
      )}
    </>
  );
}

type ResetServerProps = { workbench: Workbench; program: LocalProgram; onClose: () => void };

/** Resets the server after the user typed its name. The previous data is kept. */
function ResetServer({ workbench, program, onClose }: ResetServerProps) {
  const [typed, setTyped] = useState('');
  const name = serverName(workbench.connection);

  const reset = useDataReplacement(workbench, 'reset', program.reset);

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
