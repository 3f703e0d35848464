/** Exposes the bridge on the page's `window`: the channels of shared/bridge.ts, and nothing of Electron. */
import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge, Invocation, Notice } from '../shared/bridge.ts';

// Imports only types: the main process validates. The compiler checks that these names are complete.
const invocations: Record<Invocation, true> = {
  'connections:list': true,
  'connections:add': true,
  'connections:methods': true,
  'connections:authority': true,
  'connections:cancel': true,
  'connections:add-local': true,
  'connections:kept': true,
  'connections:remove': true,
  'connections:certificate': true,
  request: true,
  'request:abort': true,
  media: true,
  'media:upload': true,
  'acting:offered': true,
  'acting:begin': true,
  'acting:copy': true,
  'acting:end': true,
  'local-server:state': true,
  'local-server:start': true,
  'local-server:stop': true,
  'local-server:restart': true,
  'local-server:reset': true,
  'local-server:restore': true,
  'local-server:take-back': true,
  'local-server:kept': true,
  'local-server:apply': true,
  'local-server:temporary-servers': true,
  'local-server:start-temporary-server': true,
  'local-server:stop-temporary-server': true,
  'workbench:follow': true,
  'workbench:unfollow': true,
  'workbench:try-login': true,
  'workbench:backup': true,
  'connections:looks': true,
  'settings:read': true,
  'settings:write': true,
  'notifications:shown': true,
  'wanted:take': true,
  'reports:unreviewed': true,
  'open-external': true,
};
const notices: Record<Notice, true> = {
  'local-server:changed': true,
  'workbench:events': true,
  'connections:code': true,
  'wanted:waiting': true,
  'menu:command': true,
};

const bridge: Bridge = {
  invoke(channel, input) {
    if (!Object.hasOwn(invocations, channel)) throw new Error(`The bridge has no channel '${channel}'`);
    return ipcRenderer.invoke(channel, input);
  },
  listen(channel, listener) {
    if (!Object.hasOwn(notices, channel)) throw new Error(`The bridge has no notice '${channel}'`);
    // The event has the sender, which gives access to all of IPC: it stays here.
    const listenToPayload = (_event: unknown, payload: Parameters<typeof listener>[0]) => listener(payload);
    ipcRenderer.on(channel, listenToPayload);
    return () => {
      ipcRenderer.off(channel, listenToPayload);
    };
  },
};

contextBridge.exposeInMainWorld('gatehouse', bridge);
