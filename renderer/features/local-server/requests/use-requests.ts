import { useRef, useState } from 'react';
import { fits } from '../../../../shared/fits.ts';
import { readJson } from '../../../../shared/read-json.ts';
import { InspectedRequest, keptRequests } from '../../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { useEventStream } from '../use-event-stream.ts';

type RequestLog = {
  /** Numbered continuously across restarts of the server. */
  requests: readonly InspectedRequest[];
  /** Number of the first request after the last restart. */
  restartedAt?: number;
};

/**
 * Streams requests: the last 1,000 of clients and the last 1,000 of the console, oldest first, across restarts of the
 * server. While paused, new requests are in `waiting`.
 */
export function useRequests(paused: boolean, isOwn: (request: InspectedRequest) => boolean) {
  const [log, setLog] = useState<RequestLog>({ requests: [] });
  /** The newest number when the list was paused. */
  const [pausedAt, setPausedAt] = useState<number>();
  const lastNumber = useRef(0);
  const lastTs = useRef(0);
  /** Added to the server's numbers, which start from 1 after each restart. */
  const offset = useRef(0);

  const stream = useEventStream(
    'requests',
    // Always everything, to detect a restart by it.
    () => workbenchPaths.inspectorStream,
    (data) => {
      const received = data.map((text) => readJson(text)).filter(isRequest);
      // A known number with a newer time: the server has restarted. Known requests can be sent again.
      const hasRestarted = received.some(
        ({ number, received_ts }) =>
          number + offset.current <= lastNumber.current && received_ts > lastTs.current,
      );
      if (hasRestarted) offset.current = lastNumber.current;
      const added = received
        .map((request) => ({ ...request, number: request.number + offset.current }))
        .filter(({ number }) => number > lastNumber.current);
      if (added.length === 0) return;
      lastNumber.current = added.at(-1)?.number ?? lastNumber.current;
      lastTs.current = Math.max(lastTs.current, ...added.map(({ received_ts }) => received_ts));
      setLog(({ requests, restartedAt }) => {
        const from = hasRestarted ? added[0]?.number : restartedAt;
        return {
          requests: trimmed([...requests, ...added], isOwn),
          ...(from !== undefined && { restartedAt: from }),
        };
      });
    },
  );

  const newest = log.requests.at(-1)?.number ?? 0;
  if (paused && pausedAt === undefined) setPausedAt(newest);
  if (!paused && pausedAt !== undefined) setPausedAt(undefined);
  const waitingIndex =
    pausedAt === undefined ? -1 : log.requests.findIndex(({ number }) => number > pausedAt);
  const visible = waitingIndex === -1 ? log.requests : log.requests.slice(0, waitingIndex);
  return {
    requests: visible,
    restartedAt: visible.find(({ number }) => number === log.restartedAt),
    waiting: log.requests.slice(visible.length),
    stream,
    clear: () => setLog({ requests: [] }),
  };
}

/** Bounds the console's own requests and the others separately, as the server does. */
function trimmed(
  requests: readonly InspectedRequest[],
  isOwn: (request: InspectedRequest) => boolean,
): readonly InspectedRequest[] {
  if (requests.length <= keptRequests) return requests;
  const count = { own: 0, others: 0 };
  return requests
    .toReversed()
    .filter((request) => ++count[isOwn(request) ? 'own' : 'others'] <= keptRequests)
    .reverse();
}

const isRequest = (value: unknown): value is InspectedRequest => fits(InspectedRequest, value);
