import { i18n } from '@lingui/core';
import { Button, Switch } from '@mantine/core';
import { IconFilter, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { EmptyObject } from '../../../../shared/api/common.ts';
import { getInspector, type InspectedRequest, keptRequests } from '../../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { LoadingNote } from '../../../components/LoadStates.tsx';
import { useCommands, useConsole } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { clockWithSeconds, number } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import type { StreamState } from '../use-event-stream.ts';
import { LogPane, StreamNote } from './LogPane.tsx';
import { RequestDetail } from './RequestDetail.tsx';
import { RequestFilters } from './RequestFilters.tsx';
import classes from './Requests.module.css';
import { RequestTable } from './RequestTable.tsx';
import { isFiltered, isOwn, matches, useRequestSearch } from './request-search.ts';
import { useRequests } from './use-requests.ts';

/** What clients ask of the server and what it answers, as it happens, and its log beside it. */
export function Requests() {
  const bench = useBench();
  const [search, change] = useRequestSearch();
  const [paused, setPaused] = useState(false);
  const pathField = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { userId } = bench.connection;
  const isApp = useConsole().host.shell !== undefined;
  /** Sent again from here, on purpose: those are looked for. */
  const [sentAgain, setSentAgain] = useState<ReadonlySet<string>>(new Set());
  const own = useMemo(() => {
    const page = { origin: location.origin, userAgent: navigator.userAgent, isApp, userId };
    return (each: InspectedRequest) => isOwn(each, page) && !sentAgain.has(wayOf(each));
  }, [sentAgain, userId, isApp]);
  const { requests, anewFrom, waiting, stream, clear } = useRequests(paused, own);
  const { found, hidden } = useMemo(() => {
    const matching = requests.filter((request) => matches(request, search));
    const shown = search.own ? matching : matching.filter((request) => !own(request));
    // The newest at the top.
    return { found: shown.toReversed(), hidden: matching.length - shown.length };
  }, [requests, search, own]);
  const waitingFound = useMemo(
    () => waiting.filter((request) => matches(request, search) && (search.own || !own(request))).length,
    [waiting, search, own],
  );
  const methods = useMemo(() => [...new Set(requests.map(({ method }) => method))].sort(), [requests]);
  const listed = requests.find((request) => request.number === search.request);
  // What one reads stays, however many have come since.
  const [lastOpen, setLastOpen] = useState(listed);
  if (listed && listed !== lastOpen) setLastOpen(listed);
  const open = listed ?? (lastOpen?.number === search.request ? lastOpen : undefined);
  const forget = useMutation({
    mutationFn: () => bench.send('DELETE', EmptyObject, workbenchPaths.inspectorRequests),
    onSuccess: () => {
      setLastOpen(undefined);
      clear();
    },
  });
  const pause = () => setPaused(!paused);

  useCommands([
    {
      id: 'filter requests',
      label: i18n.t('Filter by path'),
      group: i18n.t('Requests'),
      keys: ['/'],
      icon: <IconFilter size={17} stroke={1.6} />,
      run: () => pathField.current?.focus(),
    },
    {
      id: 'pause requests',
      label: paused ? i18n.t('Resume') : i18n.t('Pause'),
      group: i18n.t('Requests'),
      keys: ['p'],
      icon: <IconPlayerPause size={17} stroke={1.6} />,
      run: pause,
    },
    {
      id: 'show log',
      label: search.log === false ? i18n.t('Show log') : i18n.t('Hide log'),
      group: i18n.t('Requests'),
      keys: ['l'],
      run: () => change({ log: search.log === false ? undefined : false }),
    },
  ]);

  return (
    <div className={classes.screen}>
      <Inspecting stream={stream.status} />
      <search className={classes.bar} aria-label={i18n.t('Request filters')}>
        <RequestFilters search={search} change={change} methods={methods} pathField={pathField} />
        <Button
          variant="default"
          leftSection={
            paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={pause}
        >
          {paused ? i18n.t('Resume') : i18n.t('Pause')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => forget.mutate()}
          loading={forget.isPending}
        >
          {i18n.t('Clear requests')}
        </Button>
        <Switch
          size="xs"
          label={i18n.t('Hide console requests')}
          checked={search.own !== true}
          onChange={(event) => change({ own: event.currentTarget.checked ? undefined : true })}
        />
        <RequestCount
          found={found.length}
          all={requests.length}
          hidden={hidden}
          waiting={waitingFound}
          isFiltered={isFiltered(search)}
        />
      </search>
      {forget.error && (
        <p className={`${classes.note} ${classes.lost}`} role="alert">
          {failureSentence(forget.error)}
        </p>
      )}
      <StreamNote stream={stream} />
      {anewFrom && (
        <p className={`${classes.note} ${classes.gap}`} role="status">
          {i18n.t('Server restarted. Some requests before {time} are missing.', {
            time: clockWithSeconds(anewFrom.received_ts),
          })}
        </p>
      )}
      <div className={classes.sides} data-open={open !== undefined || undefined}>
        <div ref={list} className={classes.list}>
          {found.length > 0 ? (
            <RequestTable
              requests={found}
              current={search.request}
              narrow={open !== undefined}
              onOpen={(request) => change({ request: request.number })}
            />
          ) : stream.status === 'connecting' ? (
            <LoadingNote text={i18n.t('Loading requests…')} />
          ) : (
            <NothingShown all={requests.length} hidden={hidden} />
          )}
        </div>
        {open && (
          <section className={classes.side} aria-label={i18n.t('Request')}>
            <RequestDetail
              key={open.number}
              request={open}
              onSendAgain={() => setSentAgain((before) => new Set(before).add(wayOf(open)))}
              onClose={() => {
                void change({ request: undefined });
                // The arrow keys go on from there.
                list.current?.querySelector<HTMLElement>('[tabindex]')?.focus();
              }}
            />
          </section>
        )}
      </div>
      {search.log !== false && (
        <LogPane
          level={search.level ?? 'info'}
          onLevel={(level) => change({ level })}
          own={search.own === true}
        />
      )}
    </div>
  );
}

const wayOf = ({ method, path }: InspectedRequest) => `${method} ${path}`;

type Props = {
  /** How many are shown, of all, and how many are not because the console made them itself. */
  found: number;
  all: number;
  hidden: number;
  /** How many would be shown that came while the list was paused. */
  waiting: number;
  isFiltered: boolean;
};

/** How many requests there are, and what of them is shown. */
function RequestCount({ found, all, hidden, waiting, isFiltered }: Props) {
  return (
    <output className={classes.count}>
      {isFiltered || hidden > 0
        ? i18n.t('{found} of {all}', { found: number(found), all: number(all) })
        : i18n.t('{count, plural, one {{shown} request} other {{shown} requests}}', {
            count: all,
            shown: number(all),
          })}
      {hidden > 0 &&
        i18n.t(', {shown} own hidden', {
          count: hidden,
          shown: number(hidden),
        })}
      {waiting > 0 &&
        i18n.t(', {shown} new', {
          count: waiting,
          shown: number(waiting),
        })}
    </output>
  );
}

/** Why there is no request in the list. */
function NothingShown({ all, hidden }: Pick<Props, 'all' | 'hidden'>) {
  return (
    <p className={classes.note} role="status">
      {all === 0
        ? i18n.t('No requests yet. Shows the last {kept} client requests.', {
            kept: number(keptRequests),
          })
        : hidden > 0
          ? i18n.t(
              '{count, plural, one {{shown} console request hidden} other {{shown} console requests hidden}}',
              { count: hidden, shown: number(hidden) },
            )
          : i18n.t('No matching requests')}
    </p>
  );
}

const inspectorQuery = ({ connection, get }: ReturnType<typeof useBench>) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'inspector'],
    queryFn: ({ signal }) => get(getInspector.response[200], workbenchPaths.inspector, signal),
  });

/** Whether the server keeps requests at all: it can be switched here. */
function Inspecting({ stream }: { stream: StreamState['status'] }) {
  const bench = useBench();
  const queryClient = useQueryClient();
  const asked = inspectorQuery(bench);
  const { data } = useQuery(asked);
  const turn = useMutation({
    mutationFn: (on: boolean) =>
      bench.send('PUT', getInspector.response[200], workbenchPaths.inspector, { on }),
    onSuccess: (now) => queryClient.setQueryData(asked.queryKey, now),
  });
  // A server that was started anew keeps none until it is told to again.
  const wasOn = useRef(false);
  useEffect(() => {
    if (stream === 'lost') wasOn.current ||= queryClient.getQueryData(asked.queryKey)?.on === true;
    if (stream !== 'live' || !wasOn.current) return;
    wasOn.current = false;
    turn.mutate(true);
  }, [stream, queryClient, asked.queryKey, turn.mutate]);
  if (!data) return null;
  return (
    <div className={classes.off} data-on={data.on || undefined}>
      <Switch
        size="xs"
        label={i18n.t('Record requests')}
        checked={data.on}
        disabled={turn.isPending}
        onChange={(event) => turn.mutate(event.currentTarget.checked)}
      />
      <span>
        {turn.error
          ? failureSentence(turn.error)
          : data.on
            ? i18n.t('In memory only, without secrets.')
            : i18n.t("Requests aren't recorded.")}
      </span>
    </div>
  );
}
