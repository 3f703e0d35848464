import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconRefresh, IconRestore } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import type { LocalServerState } from '../../../shared/bridge.ts';
import { useCommands } from '../../console-context.ts';
import { failureSentence } from '../../transport/failure-sentence.ts';
import { Bench, hostStateQuery } from './bench.ts';
import { hostWork, useHostWork, useLastHostWork } from './host-work.ts';
import classes from './LocalServer.module.css';
import { Replaced } from './Replaced.tsx';
import { ResetServer } from './ResetServer.tsx';
import { startsOf, untilItRunsAgain } from './until-it-runs.ts';
import { useProgram } from './use-program.ts';

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
