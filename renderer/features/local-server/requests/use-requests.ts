import { useRef, useState } from 'react';
import { fits } from '../../../../shared/fits.ts';
import { readJson } from '../../../../shared/read-json.ts';
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
 * The last 1,000 requests and the last 1,000 of the console's own, the oldest first, as they come, and on over an end of
 * the server. While it is paused the list stays as it is, and what comes meanwhile waits.
 */
export function useRequests(paused: boolean, isOwn: (request: InspectedRequest) => boolean) {
  const [known, setKnown] = useState<List>({ requests: [] });
  /** Where it was paused, only what was there by then is shown. */
  const [pausedAt, setPausedAt] = useState<number>();
  const last = useRef(0);
  /** When the newest of them came. */
  const newestTs = useRef(0);
  /** What is added to the numbers of the server, which counts from 1 after each start. */
  const base = useRef(0);

  const stream = useEventStream(
    'requests',
    // All that is kept: whether the server is the one from before shows in what it has.
    () => workbenchPaths.inspectorStream,
    (data) => {
      const came = data.map((text) => readJson(text)).filter(isRequest);
      // What is known already can come again, and is no newer than all that came.
      const isAnew = came.some(
        ({ number, received_ts }) => number + base.current <= last.current && received_ts > newestTs.current,
      );
      if (isAnew) base.current = last.current;
      const fresh = came
        .map((request) => ({ ...request, number: request.number + base.current }))
        .filter(({ number }) => number > last.current);
      if (fresh.length === 0) return;
      last.current = fresh.at(-1)?.number ?? last.current;
      newestTs.current = Math.max(newestTs.current, ...fresh.map(({ received_ts }) => received_ts));
      setKnown(({ requests, anewFrom }) => {
        const from = isAnew ? fresh[0]?.number : anewFrom;
        return {
          requests: lastOfEach([...requests, ...fresh], isOwn),
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

/** The console's own are kept as the server keeps them: they take no place of others. */
function lastOfEach(
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
