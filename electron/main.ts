/** Main process of the desktop shell: sets everything up in order. */
import { join, resolve } from 'node:path';
import { app, BrowserWindow, clipboard, session, shell } from 'electron';
import { createTemporaryServers } from '../server/administration/host/temporary-servers.ts';
import { ignoreBrokenPipe } from '../server/platform/core/process.ts';
import { actingSessions } from '../shared/acting-sessions.ts';
import { parseAddress } from '../shared/address.ts';
import type { Notice, NoticePayload } from '../shared/bridge.ts';
import { Looks } from '../shared/connection-look.ts';
import { askForAuthority, askForClientCertificate } from './connections/ask-certificates.ts';
import { certificateEnd } from './connections/certificate.ts';
import { Certificates, createCertificates } from './connections/certificates.ts';
import { createConnections } from './connections/connections.ts';
import { askInDialog, type Consent } from './connections/consent.ts';
import { fetchImage, uploadImage } from './connections/media.ts';
import { createRequests } from './connections/requests.ts';
import { send, trustAuthorities } from './connections/send.ts';
import { developedAt, reloadWithPreload, serveDevelopedConsole } from './development.ts';
import { endWithFault, watchFaults } from './fault.ts';
import { askToAddSampleData } from './homeserver/ask-sample-data.ts';
import { HomeserverProcess } from './homeserver/homeserver-process.ts';
import { localHostOfApp, restoreChosen } from './homeserver/local-host.ts';
import { temporaryServerProcess } from './homeserver/temporary-server-process.ts';
import { createWorkbench } from './homeserver/workbench.ts';
import { answerInvocations, notify } from './ipc.ts';
import { jsonFile } from './json-file.ts';
import { diagnostics, log, logFile } from './log.ts';
import { wasStartedAtLogin } from './notifications/login-item.ts';
import { createPresence, type Presence } from './notifications/presence.ts';
import { NotifiedReports } from './notifications/report-watch.ts';
import { openSettings } from './notifications/settings.ts';
import { chooseProfile } from './profile.ts';
import { isQuitting, stopBeforeQuit } from './quit.ts';
import { HeldBack } from './updates/update-dialogs.ts';
import { followUpdates } from './updates/updates.ts';
import { openPatiently } from './vault/silent-keychain.ts';
import { followLinks, listenForLinks } from './window/links.ts';
import { setAboutPanel, setApplicationMenu } from './window/menu.ts';
import { denyPermissions, lockContents, openExternalLink } from './window/page-security.ts';
import { pendingView } from './window/pending-view.ts';
import { registerConsoleScheme, serveConsole } from './window/protocol.ts';
import { requireSandbox } from './window/sandbox.ts';
import { sealSession } from './window/sealed-page.ts';
import { openWindow } from './window/window.ts';

// Terminal output is also in the log, so a closed terminal loses nothing.
ignoreBrokenPipe();
watchFaults();

if (chooseProfile()) {
  if (app.requestSingleInstanceLock()) {
    registerConsoleScheme();
    lockContents();
    listenForLinks();
    // Not awaited: Electron is ready only after this module has run.
    void app.whenReady().then(start).catch(endWithFault);
  } else app.quit();
}

async function start(): Promise<void> {
  log.info(`Gatehouse ${app.getVersion()} started`);
  requireSandbox();
  const kept = (name: string) => join(app.getPath('userData'), name);
  const built = (name: string) => join(import.meta.dirname, name);

  const modulePath = built('homeserver-child.js');
  const dataDir = resolve(app.commandLine.getSwitchValue('data-dir') || kept('homeserver'));
  const homeserver = new HomeserverProcess({
    modulePath,
    arguments: homeserverArguments(dataDir),
    firstArguments: app.commandLine.hasSwitch('sample-data') ? ['--sample-data'] : [],
    onChange(state) {
      notifyWindows('local-server:changed', state);
      presence?.localServerChanged();
    },
  });
  let presence: Presence | undefined;
  homeserver.start();
  const beforeQuit = stopBeforeQuit(homeserver);

  const temporaryServers = createTemporaryServers(
    temporaryServerProcess({ modulePath, place: kept('temporary-servers'), send }),
  );
  /** Asks the user, except for servers that they just started. */
  const consent: Consent = async (origin) => {
    const own = await temporaryServers.list();
    if (!own.some(({ url }) => new URL(url).origin === origin)) await askInDialog(origin);
  };
  const vault = await openPatiently(kept('connections.vault'));
  const connections = createConnections({
    vault,
    homeserver,
    send,
    consent,
    openPage: (url) => shell.openExternal(url),
    showCode: (code) => notifyWindows('connections:code', code),
  });

  const certificates = createCertificates(
    jsonFile(kept('certificates.json'), Certificates, { authorities: {}, clients: {} }),
    askForClientCertificate,
  );
  trustAuthorities(certificates.authority);
  app.on('select-client-certificate', (event, contents, url, list, answer) => {
    // By default, any server would get the system's first certificate.
    event.preventDefault();
    if (contents) answer();
    else certificates.client(url, list).then(answer, () => answer());
  });
  const requests = createRequests(connections, send);
  const localHost = localHostOfApp({ homeserver, dataDir, temporaryServers });
  let restarting: Promise<void> | undefined;
  /** Runs after other operations on the server; concurrent calls share one restart. */
  const restart = () => {
    restarting ??= localHost
      .inTurn(() => homeserver.restart())
      .finally(() => {
        restarting = undefined;
      });
    return restarting;
  };
  const workbench = createWorkbench({
    connections,
    send,
    notify: (events) => notifyWindows('workbench:events', events),
  });
  const acting = actingSessions({
    authorized: connections.authorized,
    send,
    copy: (text) => clipboard.writeText(text),
    now: Date.now,
  });
  const settings = openSettings(kept('settings.json'));
  const open = () => {
    const window = openWindow({ preload: built('preload.cjs'), stateFile: kept('window.json') });
    window.once('closed', () => presence?.windowClosed());
    window.webContents.on('did-navigate', workbench.unfollowAll);
    presence?.update();
    return window;
  };
  const pending = pendingView(() => {
    focusWindow(open);
    notifyWindows('wanted:waiting', undefined);
  });
  presence = createPresence({
    settings,
    looks: jsonFile(kept('connection-looks.json'), Looks, { of: {}, order: [] }),
    notified: jsonFile(kept('told-reports.json'), NotifiedReports, { newest: {} }),
    connections,
    send,
    localServer: () => homeserver.state,
    open: () => focusWindow(open),
    show: pending.show,
  });
  const followed = presence;
  const updates = await followUpdates(jsonFile(kept('update.json'), HeldBack, {}));
  beforeQuit({
    async dataIsWhole() {
      // Held back until the homeserver's state is known: the reply may come too late or never.
      updates?.mayInstall(false);
      await localHost.finish();
    },
    async changesSettled(late) {
      workbench.unfollowAll();
      await Promise.all([requests.changesSettled(), temporaryServers.stopAll()]);
      if (updates && !(await isBusy(homeserver)) && !late.aborted) updates.mayInstall(true);
    },
    isReplaced: () => updates?.installs() ?? false,
    updatePrepared: async () => updates?.prepare(),
  });

  denyPermissions(session.defaultSession);
  const workshop = developedAt();
  if (workshop === undefined) {
    await sealSession(session.defaultSession);
    serveConsole(built('../renderer'));
  } else {
    serveDevelopedConsole(workshop);
    reloadWithPreload(built('preload.cjs'));
  }
  answerInvocations({
    'connections:list': () => connections.list(),
    'connections:add': ({ address, credentials }) =>
      connections.add(address, credentials).finally(followed.update),
    'connections:methods': ({ address }) => connections.methods(address),
    'connections:cancel': () => connections.cancelSignIn(),
    'connections:add-local': () => connections.addLocal().finally(followed.update),
    'connections:looks': (chosen) => followed.look(chosen),
    'connections:kept': () => vault.kept,
    'connections:remove': ({ connectionId }) =>
      connections.remove(connectionId).finally(() => {
        followed.forget(connectionId);
        certificates.keepFor(connections.addresses());
      }),
    'connections:authority': async ({ address, change }) => {
      const { hostname } = new URL(parseAddress(address));
      const pem = change === 'choose' ? await askForAuthority(hostname) : undefined;
      if (change === 'remove' || pem !== undefined) certificates.setAuthority(hostname, pem);
      return { isChosen: certificates.authority(hostname) !== undefined };
    },
    'connections:certificate': async ({ connectionId }) => {
      const { connection } = await connections.session(connectionId);
      const validUntil = await certificateEnd(connection.baseUrl);
      return validUntil === undefined ? {} : { validUntil };
    },
    request: (request) => requests.send(request),
    'request:abort': ({ requestId }) => requests.abort(requestId),
    media: (image) => fetchImage(connections, image),
    'media:upload': (image) => uploadImage(connections, image),
    'acting:offered': ({ connectionId }) => acting.isOffered(connectionId),
    'acting:begin': ({ connectionId, userId, minutes }) => acting.begin(connectionId, userId, minutes),
    'acting:copy': ({ id }) => acting.copyToken(id),
    'acting:end': ({ id }) => acting.end(id),
    'local-server:state': () => homeserver.state,
    'local-server:start': () => localHost.inTurn(async () => homeserver.start()),
    'local-server:stop': () => localHost.inTurn(() => homeserver.stop()),
    'local-server:restart': restart,
    'local-server:reset': async () => ({ kept_at: (await localHost.reset()).kept_at }),
    'local-server:restore': () => restoreChosen(localHost),
    'local-server:take-back': async () => ({ kept_at: (await localHost.takeBack()).kept_at }),
    'local-server:kept': () => {
      const { replaced } = localHost.state();
      return replaced?.outcome === 'replaced' ? { kept_at: replaced.kept_at } : {};
    },
    'local-server:apply': ({ text }) => localHost.apply(text),
    'local-server:temporary-servers': () => localHost.temporaryServers(),
    'local-server:start-temporary-server': ({ name, sampleData }) =>
      localHost.startTemporaryServer(name, sampleData),
    'local-server:stop-temporary-server': ({ name }) => localHost.stopTemporaryServer(name),
    'workbench:follow': (stream) => workbench.follow(stream),
    'workbench:unfollow': (stream) => workbench.unfollow(stream),
    'workbench:try-login': (login) => workbench.tryLogin(login),
    'workbench:backup': (input) => workbench.backup(input),
    'settings:read': () => settings.read(),
    'settings:write': (chosen) => followed.choose(chosen),
    'notifications:shown': () => followed.notificationsShown(),
    'wanted:take': () => pending.take(),
    'reports:unreviewed': (counts) => followed.learn(counts),
    'open-external': ({ url }) => openExternalLink(url),
  });
  setAboutPanel();
  setApplicationMenu({
    sendCommand: (command) => notifyWindows('menu:command', { command }),
    restartLocalServer: () => void restart(),
    addSampleData: () => void askToAddSampleData(homeserver),
    ...(updates && { checkForUpdates: () => void updates.check() }),
    showLog: () => shell.showItemInFolder(logFile()),
    copyDiagnostics: () =>
      clipboard.writeText(
        diagnostics({
          'Local server': homeserver.state.status,
          Sessions: `${vault.list().length}, ${vault.kept}`,
          Languages: app.getPreferredSystemLanguages().join(', '),
        }),
      ),
  });

  if (!isQuitting() && !(wasStartedAtLogin() && settings.read().keepsRunning)) open();
  followLinks({ connections: connections.known, show: pending.show });
  app.on('second-instance', () => focusWindow(open));
  app.on('activate', () => focusWindow(open));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !settings.read().keepsRunning) app.quit();
  });
}

function notifyWindows<Name extends Notice>(notice: Name, payload: NoticePayload<Name>): void {
  for (const window of BrowserWindow.getAllWindows()) notify(window.webContents, notice, payload);
}

/** A task interrupted by the shutdown continues at the next start, which must be of the same version. */
async function isBusy(homeserver: HomeserverProcess): Promise<boolean> {
  const { status } = homeserver.state;
  if (status === 'stopped' || status === 'failed') return homeserver.leftBusy;
  return homeserver.ask('is-busy').catch(() => true);
}

function focusWindow(open: () => BrowserWindow): void {
  if (isQuitting()) return;
  const window = BrowserWindow.getAllWindows()[0] ?? open();
  if (window.isMinimized()) window.restore();
  window.focus();
}

/** `npm start` passes these on; by default, the app uses its own directory and configuration. */
function homeserverArguments(dataDir: string): string[] {
  const port = app.commandLine.getSwitchValue('port');
  return [`--data-dir=${dataDir}`, ...(port ? [`--port=${port}`] : [])];
}
