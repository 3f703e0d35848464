import { useRef, useState } from 'react';
import { Check } from 'typebox/schema';
import { InspectedRequest, keptRequests } from '../../../../shared/workbench/inspector.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { useEventStream } from '../use-event-stream.ts';

type List = {
  /** Numbered on where the server began to count anew. */
  requests: readonly InspectedRequest[];
  /** The first request of the server's that was seen to have been started anew, if one was. */
  anewFrom?: number;
};

/**
 * The last 1,000 requests, the oldest first, as they come, and on over an end of the server. While it is paused the
 * list stays as it is, and what comes meanwhile waits.
 */
export function useRequests(paused: boolean) {
  const [known, setKnown] = useState<List>({ requests: [] });
  /** Where it was paused, only what was there by then is shown. */
  const [pausedAt, setPausedAt] = useState<number>();
  const last = useRef(0);
  /** When each of the last ones came. */
  const cameAt = useRef(new Map<number, number>());
  /** What is added to the numbers of the server, which counts from 1 after each start. */
  const base = useRef(0);

  const stream = useEventStream(
    'requests',
    // All that is kept: whether the server is the one from before shows in what it has.
    () => workbenchPaths.inspectorStream,
    (data) => {
      const came = data.map((text) => JSON.parse(text)).filter(isRequest);
      const isAnew = came.some(({ number, received_ts }) => {
        const place = number + base.current;
        return place <= last.current && cameAt.current.get(place) !== received_ts;
      });
      if (isAnew) base.current = last.current;
      const fresh = came
        .map((request) => ({ ...request, number: request.number + base.current }))
        .filter(({ number }) => number > last.current);
      if (fresh.length === 0) return;
      last.current = fresh.at(-1)?.number ?? last.current;
      for (const { number, received_ts } of fresh) {
        cameAt.current.set(number, received_ts);
        cameAt.current.delete(number - keptRequests);
      }
      setKnown(({ requests, anewFrom }) => {
        const from = isAnew ? fresh[0]?.number : anewFrom;
        return {
          requests: [...requests, ...fresh].slice(-keptRequests),
          ...(from !== undefined && { anewFrom: from }),
        };
      });
    },
  );

  const newest = known.requests.at(-1)?.number ?? 0;
  if (paused && pausedAt === undefined) setPausedAt(newest);
  if (!paused && pausedAt !== undefined) setPausedAt(undefined);
  const wait = pausedAt === undefined ? -1 : known.requests.findIndex(({ number }) => number > pausedAt);
  const shown = wait === -1 ? known.requests : known.requests.slice(0, wait);
  return {
    requests: shown,
    anewFrom: shown.find(({ number }) => number === known.anewFrom),
    waiting: known.requests.slice(shown.length),
    stream,
    clear: () => setKnown({ requests: [] }),
  };
}

const isRequest = (value: unknown): value is InspectedRequest => Check(InspectedRequest, value);
