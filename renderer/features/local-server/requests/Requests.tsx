import { i18n } from '@lingui/core';
import { Button, Switch } from '@mantine/core';
import { IconFilter, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { EmptyObject } from '../../../../shared/api/common.ts';
import { getInspector, type InspectedRequest, keptRequests } from '../../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { LoadingNote } from '../../../components/LoadStates.tsx';
import { useCommands, useConsole } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import type { Workbench } from '../../../transport/workbench.ts';
import { clockWithSeconds, number } from '../../../words/format.ts';
import type { StreamState } from '../use-event-stream.ts';
import { useWorkbench } from '../workbench-context.ts';
import { LogPane, StreamStatus } from './LogPane.tsx';
import { RequestDetail } from './RequestDetail.tsx';
import { RequestFilters } from './RequestFilters.tsx';
import classes from './Requests.module.css';
import { RequestTable } from './RequestTable.tsx';
import { isFiltered, isOwn, matchesSearch, useRequestSearch } from './request-search.ts';
import { useRequests } from './use-requests.ts';

/** Live requests to the server, with its log. */
export function Requests() {
  const workbench = useWorkbench();
  const [search, change] = useRequestSearch();
  const [paused, setPaused] = useState(false);
  const pathField = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { userId } = workbench.connection;
  const isApp = useConsole().host.shell !== undefined;
  /** Requests that the user resent; they aren't hidden as the console's own. */
  const [resent, setResent] = useState<ReadonlySet<string>>(new Set());
  const isConsoleRequest = useMemo(() => {
    const page = { origin: location.origin, userAgent: navigator.userAgent, isApp, userId };
    return (request: InspectedRequest) => isOwn(request, page) && !resent.has(endpointOf(request));
  }, [resent, userId, isApp]);
  const { requests, restartedAt, waiting, stream, clear } = useRequests(paused, isConsoleRequest);
  const { visible, hiddenCount } = useMemo(() => {
    const matching = requests.filter((request) => matchesSearch(request, search));
    const visible = search.own ? matching : matching.filter((request) => !isConsoleRequest(request));
    return { visible: visible.toReversed(), hiddenCount: matching.length - visible.length };
  }, [requests, search, isConsoleRequest]);
  const waitingCount = useMemo(
    () =>
      waiting.filter(
        (request) => matchesSearch(request, search) && (search.own || !isConsoleRequest(request)),
      ).length,
    [waiting, search, isConsoleRequest],
  );
  const methods = useMemo(() => [...new Set(requests.map(({ method }) => method))].sort(), [requests]);
  const listed = requests.find((request) => request.number === search.request);
  // The open request stays, even after it leaves the list.
  const [lastOpen, setLastOpen] = useState(listed);
  if (listed && listed !== lastOpen) setLastOpen(listed);
  const open = listed ?? (lastOpen?.number === search.request ? lastOpen : undefined);
  const clearAll = useMutation({
    mutationFn: () => workbench.send('DELETE', EmptyObject, workbenchPaths.inspectorRequests),
    onSuccess: () => {
      setLastOpen(undefined);
      clear();
    },
  });
  const togglePause = () => setPaused(!paused);

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
      run: togglePause,
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
      <RecordingSwitch stream={stream.status} />
      <search className={classes.bar} aria-label={i18n.t('Request filters')}>
        <RequestFilters search={search} change={change} methods={methods} pathField={pathField} />
        <Button
          variant="default"
          leftSection={
            paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={togglePause}
        >
          {paused ? i18n.t('Resume') : i18n.t('Pause')}
        </Button>
        <ButtonWithIcon
          variant="default"
          icon={IconTrash}
          onClick={() => clearAll.mutate()}
          loading={clearAll.isPending}
        >
          {i18n.t('Clear requests')}
        </ButtonWithIcon>
        <Switch
          size="xs"
          label={i18n.t('Hide console requests')}
          checked={search.own !== true}
          onChange={(event) => change({ own: event.currentTarget.checked ? undefined : true })}
        />
        <RequestCount
          visible={visible.length}
          total={requests.length}
          hidden={hiddenCount}
          waiting={waitingCount}
          isFiltered={isFiltered(search)}
        />
      </search>
      {clearAll.error && (
        <p className={`${classes.note} ${classes.lost}`} role="alert">
          {failureSentence(clearAll.error)}
        </p>
      )}
      <StreamStatus stream={stream} />
      {restartedAt && (
        <p className={`${classes.note} ${classes.gap}`} role="status">
          {i18n.t('Server restarted. Some requests before {time} are missing.', {
            time: clockWithSeconds(restartedAt.received_ts),
          })}
        </p>
      )}
      <div className={classes.panes} data-open={open !== undefined || undefined}>
        <div ref={list} className={classes.list}>
          {visible.length > 0 ? (
            <RequestTable
              requests={visible}
              current={search.request}
              narrow={open !== undefined}
              onOpen={(request) => change({ request: request.number })}
            />
          ) : stream.status === 'connecting' ? (
            <LoadingNote text={i18n.t('Loading requests…')} />
          ) : (
            <NoRequests total={requests.length} hidden={hiddenCount} />
          )}
        </div>
        {open && (
          <section className={classes.detailPane} aria-label={i18n.t('Request')}>
            <RequestDetail
              key={open.number}
              request={open}
              onResend={() => setResent((before) => new Set(before).add(endpointOf(open)))}
              onClose={() => {
                void change({ request: undefined });
                // So that the arrow keys continue in the table.
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

const endpointOf = ({ method, path }: InspectedRequest) => `${method} ${path}`;

type RequestCountProps = {
  visible: number;
  total: number;
  /** Requests of the console itself that match the filters. */
  hidden: number;
  /** Matching requests since the list was paused. */
  waiting: number;
  isFiltered: boolean;
};

function RequestCount({ visible, total, hidden, waiting, isFiltered }: RequestCountProps) {
  return (
    <output className={classes.count}>
      {isFiltered || hidden > 0
        ? i18n.t('{found} of {all}', { found: number(visible), all: number(total) })
        : i18n.t('{count, plural, one {# request} other {# requests}}', { count: total })}
      {hidden > 0 &&
        i18n.t(', {shown} own hidden', {
          shown: number(hidden),
        })}
      {waiting > 0 &&
        i18n.t(', {shown} new', {
          shown: number(waiting),
        })}
    </output>
  );
}

function NoRequests({ total, hidden }: { total: number; hidden: number }) {
  return (
    <p className={classes.note} role="status">
      {total === 0
        ? i18n.t('No requests yet. Shows the last {kept} client requests.', {
            kept: number(keptRequests),
          })
        : hidden > 0
          ? i18n.t('{count, plural, one {# console request hidden} other {# console requests hidden}}', {
              count: hidden,
            })
          : i18n.t('No matching requests')}
    </p>
  );
}

const inspectorQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'inspector'],
    queryFn: ({ signal }) => get(getInspector.response[200], workbenchPaths.inspector, signal),
  });

/** Switches recording of requests on and off. */
function RecordingSwitch({ stream }: { stream: StreamState['status'] }) {
  const workbench = useWorkbench();
  const queryClient = useQueryClient();
  const options = inspectorQuery(workbench);
  const { data } = useQuery(options);
  const toggle = useMutation({
    mutationFn: (on: boolean) =>
      workbench.send('PUT', getInspector.response[200], workbenchPaths.inspector, { on }),
    onSuccess: (state) => queryClient.setQueryData(options.queryKey, state),
  });
  // Recording is off after a restart; turns it on again.
  const wasOn = useRef(false);
  useEffect(() => {
    if (stream === 'lost') wasOn.current ||= queryClient.getQueryData(options.queryKey)?.on === true;
    if (stream !== 'live' || !wasOn.current) return;
    wasOn.current = false;
    toggle.mutate(true);
  }, [stream, queryClient, options.queryKey, toggle.mutate]);
  if (!data) return null;
  return (
    <div className={classes.recording} data-on={data.on || undefined}>
      <Switch
        size="xs"
        label={i18n.t('Record requests')}
        checked={data.on}
        disabled={toggle.isPending}
        onChange={(event) => toggle.mutate(event.currentTarget.checked)}
      />
      <span>
        {toggle.error
          ? failureSentence(toggle.error)
          : data.on
            ? i18n.t('In memory only, without secrets.')
            : i18n.t("Requests aren't recorded.")}
      </span>
    </div>
  );
}
