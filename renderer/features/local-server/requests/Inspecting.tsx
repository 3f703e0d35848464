import { i18n } from '@lingui/core';
import { Switch } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getInspector } from '../../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { failureSentence } from '../../../transport/failure-sentence.ts';
import { useBench } from '../bench.ts';
import type { StreamState } from '../use-event-stream.ts';
import classes from './Requests.module.css';

const inspectorQuery = ({ connection, get }: ReturnType<typeof useBench>) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'inspector'],
    queryFn: ({ signal }) => get(getInspector.response[200], workbenchPaths.inspector, signal),
  });

/** Whether the server keeps requests at all: it can be switched here. */
export function Inspecting({ stream }: { stream: StreamState['status'] }) {
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
