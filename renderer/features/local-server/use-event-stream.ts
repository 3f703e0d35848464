import { useEffect, useEffectEvent, useState } from 'react';
import { useConsole } from '../../console-context.ts';
import { useWorkbench } from './workbench-context.ts';

export type StreamState = { status: 'connecting' | 'live' | 'lost'; error?: Error };

const minBackoffMs = 500;
const maxBackoffMs = 10_000;

/**
 * Follows an event stream of the developer tools while mounted, and reconnects with backoff.
 *
 * @param name another name opens another stream
 * @param path called for each connection
 * @param onEvents receives the data of the events that arrived together, in order
 */
export function useEventStream(
  name: string,
  path: () => string,
  onEvents: (data: readonly string[]) => void,
): StreamState {
  const { host } = useConsole();
  const { connection } = useWorkbench();
  const [state, setState] = useState<StreamState>({ status: 'connecting' });
  const currentPath = useEffectEvent(path);
  const receive = useEffectEvent(onEvents);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the name identifies the stream
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let backoff = minBackoffMs;
    async function follow() {
      let error: Error | undefined;
      try {
        await host.follow(connection.id, currentPath(), {
          onOpen: () => {
            backoff = minBackoffMs;
            setState({ status: 'live' });
          },
          onEvents: receive,
          signal: controller.signal,
        });
      } catch (thrown) {
        error = thrown as Error;
      }
      if (controller.signal.aborted) return;
      setState({ status: 'lost', ...(error && { error }) });
      timer = setTimeout(follow, backoff);
      backoff = Math.min(backoff * 2, maxBackoffMs);
    }
    setState({ status: 'connecting' });
    void follow();
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [host, connection, name]);

  return state;
}
