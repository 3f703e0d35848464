import type { Bridge } from '../../shared/bridge.ts';
import type { ConsoleHost } from './host.ts';
import { invokerOf } from './invoke.ts';

/** The host in the desktop app: the main process makes every request, and no token is ever here. */
export function bridgeHost(bridge: Bridge): ConsoleHost {
  const invoke = invokerOf(bridge);

  return {
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
    // What the page has asked for outlives it here in any case: the main process sends it.
    request: async (connectionId, request, { signal } = {}) => {
      signal?.throwIfAborted();
      const requestId = crypto.randomUUID();
      const abort = () => void invoke('request:abort', { requestId });
      signal?.addEventListener('abort', abort);
      try {
        return await invoke('request', { connectionId, requestId, ...request });
      } finally {
        signal?.removeEventListener('abort', abort);
        signal?.throwIfAborted();
      }
    },
    media: async (connectionId, wanted) => {
      const { bytes, contentType } = await invoke('media', { connectionId, ...wanted });
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
    openExternal: (url) => invoke('open-external', { url }),
    shell: {
      authority: async (address, change) =>
        (await invoke('connections:authority', { address, ...(change && { change }) })).isChosen,
      connectLocal: () => invoke('connections:add-local', undefined),
      localServerState: () => invoke('local-server:state', undefined),
      sessionsKept: () => invoke('connections:kept', undefined),
      startLocalServer: () => invoke('local-server:start', undefined),
      certificateEnd: async (connectionId) =>
        (await invoke('connections:certificate', { connectionId })).validUntil,
      onLocalServerChange: (listener) => bridge.listen('local-server:changed', listener),
      settings: () => invoke('settings:read', undefined),
      chooseSettings: (chosen) => invoke('settings:write', chosen),
      notificationsShown: () => invoke('notifications:shown', undefined),
      takeWanted: async () => (await invoke('wanted:take', undefined)).wanted,
      onWanted: (listener) => bridge.listen('wanted:waiting', listener),
      tellUnreviewed: (counts) => invoke('reports:unreviewed', counts),
      onMenuCommand: (listener) => bridge.listen('menu:command', listener),
    },
  };
}
