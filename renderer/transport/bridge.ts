import type { Bridge, Invocation, InvocationInput, InvocationOutput } from '../../shared/bridge.ts';
import { ConnectionFailure } from '../../shared/connection.ts';
import { newId } from '../new-id.ts';
import type { ConsoleHost } from './host.ts';

/** Invokes the main process. Throws its `ConnectionFailure`. */
const invokerOf =
  (bridge: Bridge) =>
  async <Name extends Invocation>(
    channel: Name,
    input: InvocationInput<Name>,
  ): Promise<InvocationOutput<Name>> => {
    const outcome = await bridge.invoke(channel, input);
    if (outcome.ok) return outcome.value;
    const { code, sentence, values } = outcome.failure;
    throw new ConnectionFailure(code, sentence, values);
  };

/** The host in the desktop app. The main process sends all requests, so the page has no tokens. */
export function bridgeHost(bridge: Bridge): ConsoleHost {
  const invoke = invokerOf(bridge);

  const host: ConsoleHost = {
    enter: async () => {},
    listConnections: () => invoke('connections:list', undefined),
    signInMethods: (address) => invoke('connections:methods', { address }),
    connect: async (address, credentials, { signal, onCode } = {}) => {
      const stopListening = onCode && bridge.listen('connections:code', onCode);
      const cancel = () => void invoke('connections:cancel', undefined);
      signal?.addEventListener('abort', cancel);
      try {
        return await invoke('connections:add', { address, credentials });
      } finally {
        signal?.removeEventListener('abort', cancel);
        stopListening?.();
      }
    },
    disconnect: (connectionId) => invoke('connections:remove', { connectionId }),
    // `keepalive` isn't needed: the main process outlives the page.
    request: async (connectionId, request, { signal } = {}) => {
      signal?.throwIfAborted();
      const requestId = newId();
      const abort = () => void invoke('request:abort', { requestId });
      signal?.addEventListener('abort', abort);
      try {
        return await invoke('request', { connectionId, requestId, ...request });
      } finally {
        signal?.removeEventListener('abort', abort);
        signal?.throwIfAborted();
      }
    },
    media: async (connectionId, media) => {
      const { bytes, contentType } = await invoke('media', { connectionId, ...media });
      return new Blob([bytes], { type: contentType });
    },
    upload: async (connectionId, picture) =>
      (await invoke('media:upload', { connectionId, bytes: await picture.arrayBuffer() })).uri,
    acting: {
      isOffered: (connectionId) => invoke('acting:offered', { connectionId }),
      begin: (connectionId, userId, minutes) => invoke('acting:begin', { connectionId, userId, minutes }),
      copyToken: (id) => invoke('acting:copy', { id }),
      end: (id) => invoke('acting:end', { id }),
    },
    follow: async (connectionId, path, { onOpen, onEvents, signal }) => {
      const streamId = newId();
      const stopListening = bridge.listen('workbench:events', (notice) => {
        if (notice.streamId !== streamId) return;
        if (notice.data.length === 0) onOpen();
        else onEvents(notice.data);
      });
      const stop = () => void invoke('workbench:unfollow', { streamId });
      signal.addEventListener('abort', stop);
      try {
        await invoke('workbench:follow', { connectionId, path, streamId });
      } finally {
        signal.removeEventListener('abort', stop);
        stopListening();
      }
    },
    backup: {
      save: async (connectionId, name, onBytes) => {
        const { bytes, saved } = await invoke('workbench:backup', { connectionId, name });
        onBytes(bytes);
        return saved;
      },
      restore: async () => {
        const { kept_at } = await invoke('local-server:restore', undefined);
        return kept_at === undefined ? undefined : { kept_at };
      },
    },
    tryLogin: (connectionId, token) => invoke('workbench:try-login', { connectionId, token }),
    sendAgain: (connectionId, request) => host.request(connectionId, request),
    openExternal: (url) => invoke('open-external', { url }),
    shell: {
      authority: async (address, change) =>
        (await invoke('connections:authority', { address, ...(change && { change }) })).isChosen,
      connectLocal: () => invoke('connections:add-local', undefined),
      localServerState: () => invoke('local-server:state', undefined),
      sessionsKept: () => invoke('connections:kept', undefined),
      startLocalServer: () => invoke('local-server:start', undefined),
      program: {
        start: () => invoke('local-server:start', undefined),
        stop: () => invoke('local-server:stop', undefined),
        restart: () => invoke('local-server:restart', undefined),
        reset: () => invoke('local-server:reset', undefined),
        takeBack: () => invoke('local-server:take-back', undefined),
        keptData: async () => (await invoke('local-server:kept', undefined)).kept_at ?? null,
        apply: (text) => invoke('local-server:apply', { text }),
        temporaryServers: () => invoke('local-server:temporary-servers', undefined),
        startTemporaryServer: (name, sampleData) =>
          invoke('local-server:start-temporary-server', {
            ...(name && { name }),
            ...(sampleData && { sampleData }),
          }),
        stopTemporaryServer: (name) => invoke('local-server:stop-temporary-server', { name }),
      },
      certificateEnd: async (connectionId) =>
        (await invoke('connections:certificate', { connectionId })).validUntil,
      onLocalServerChange: (listener) => bridge.listen('local-server:changed', listener),
      settings: () => invoke('settings:read', undefined),
      chooseSettings: (chosen) => invoke('settings:write', chosen),
      notificationsShown: () => invoke('notifications:shown', undefined),
      takePendingView: async () => (await invoke('wanted:take', undefined)).wanted,
      onPendingView: (listener) => bridge.listen('wanted:waiting', listener),
      sendLooks: (looks) => invoke('connections:looks', looks),
      sendUnreviewed: (counts) => invoke('reports:unreviewed', counts),
      onMenuCommand: (listener) => bridge.listen('menu:command', listener),
    },
    close: () => {},
  };
  return host;
}
