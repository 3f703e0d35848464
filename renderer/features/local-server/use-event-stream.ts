import { useEffect, useRef, useState } from 'react';
import { followEvents } from '../../transport/event-stream.ts';
import { useBench } from './bench.ts';

export type StreamState = { status: 'connecting' | 'live' | 'lost'; error?: Error };

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/**
 * Follows a path of the workbench for as long as it is on screen, and takes it up again by itself when it breaks off.
 *
 * @param path where to go on from now: it is asked each time that the stream begins
 * @param onEvents the data of what came at once, in its order
 */
export function useEventStream(
  name: string,
  path: () => string,
  onEvents: (data: readonly string[]) => void,
): StreamState {
  const { connection } = useBench();
  const [state, setState] = useState<StreamState>({ status: 'connecting' });
  const latest = useRef({ path, onEvents });
  useEffect(() => {
    latest.current = { path, onEvents };
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another name is another stream
  useEffect(() => {
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let wait = firstWaitMs;
    async function follow() {
      let error: Error | undefined;
      try {
        await followEvents({
          connection,
          path: latest.current.path(),
          onOpen: () => {
            wait = firstWaitMs;
            setState({ status: 'live' });
          },
          onEvents: (data) => latest.current.onEvents(data),
          signal: end.signal,
        });
      } catch (thrown) {
        error = thrown as Error;
      }
      if (end.signal.aborted) return;
      setState({ status: 'lost', ...(error && { error }) });
      timer = setTimeout(follow, wait);
      wait = Math.min(wait * 2, longestWaitMs);
    }
    setState({ status: 'connecting' });
    void follow();
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [connection, name]);

  return state;
}
