import { useRef, useState } from 'react';
import { Check } from 'typebox/schema';
import { InspectedRequest, keptRequests } from '../../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { useEventStream } from '../use-event-stream.ts';

/**
 * The last 1,000 requests, the oldest first, as they come. While it is paused the list stays as it is, and what comes
 * meanwhile is counted.
 */
export function useRequests(paused: boolean) {
  const [shown, setShown] = useState<readonly InspectedRequest[]>([]);
  const [waiting, setWaiting] = useState<readonly InspectedRequest[]>([]);
  const last = useRef(0);

  const stream = useEventStream(
    'requests',
    () => `${workbenchPaths.inspectorStream}${last.current > 0 ? `?after=${last.current}` : ''}`,
    (data) => {
      const came = data.map((text) => JSON.parse(text)).filter(isRequest);
      const newest = came.at(-1);
      if (!newest) return;
      // A server that was started anew counts from 1 again.
      const isAnew = newest.number < last.current;
      last.current = newest.number;
      const add = (before: readonly InspectedRequest[]) =>
        [...(isAnew ? [] : before), ...came].slice(-keptRequests);
      if (paused) setWaiting(add);
      else setShown(add);
    },
  );

  if (!paused && waiting.length > 0) {
    setShown((before) => [...before, ...waiting].slice(-keptRequests));
    setWaiting([]);
  }
  return {
    requests: shown,
    waiting: waiting.length,
    stream,
    clear: () => {
      setShown([]);
      setWaiting([]);
    },
  };
}

const isRequest = (value: unknown): value is InspectedRequest => Check(InspectedRequest, value);
