/** `WebContents`: a page with its preload script, navigation and IPC. */
import { readFileSync } from 'node:fs';
import type { WebPreferences } from 'electron';
import { fromPage, toPage } from './addresses.ts';
import { theApp } from './app.ts';
import { decode, encode } from './codec.ts';
import type { DevToolsSession } from './devtools.ts';
import { answerInvocation } from './ipc-main.ts';
import { LoudEmitter, loud, preventable } from './loud.ts';
import { registeredSchemes, serveScheme } from './protocol.ts';
import { defaultSession, pagePermissions, theSession } from './session.ts';
import { Frames } from './web-frame.ts';
import { bindingName, preloadWorld, worldScripts } from './worlds.ts';

type WindowOpenHandler = (details: { url: string; frameName: string }) => { action: string };

const events = [
  'will-navigate',
  'will-redirect',
  'will-frame-navigate',
  'will-attach-webview',
  'did-navigate',
  'will-prevent-unload',
  'did-finish-load',
  'render-process-gone',
  'destroyed',
];
let lastId = 0;

export class WebContents extends LoudEmitter {
  readonly id = ++lastId;
  readonly session = defaultSession;
  readonly proxy = theSession.proxy;
  /** True if the page blocks closing with `beforeunload`. */
  isAtWork = false;
  readonly preferences: WebPreferences;
  #page: Promise<{ session: DevToolsSession; frames: Frames; targetId: string }> | undefined;
  #open: { session: DevToolsSession; frames: Frames; targetId: string } | undefined;
  /** Navigation started by the main process, which emits no events to prevent it. */
  #ownNavigation = false;
  #windowOpenHandler: WindowOpenHandler = () => ({ action: 'allow' });
  #destroyed = false;

  constructor(preferences: WebPreferences) {
    super('webContents', events);
    this.preferences = preferences;
  }

  isDestroyed = () => this.#destroyed;
  getURL = () => this.#open?.frames.main.url ?? '';
  get mainFrame() {
    return this.#opened.frames.main;
  }

  callPolicy = 'default';

  setWebRTCIPHandlingPolicy(policy: string): void {
    this.callPolicy = policy;
  }

  setWindowOpenHandler(handler: WindowOpenHandler): void {
    this.#windowOpenHandler = handler;
  }

  send(channel: string, ...values: unknown[]): void {
    const text = encode({ kind: 'notice', channel, values });
    if (this.#open) void this.#tellPreload(text);
  }

  async loadURL(address: string): Promise<void> {
    const { session } = await this.page();
    this.#ownNavigation = true;
    const { errorText } = await session.send('Page.navigate', { url: toPage(address, registeredSchemes()) });
    if (errorText) throw new Error(`${errorText} loading '${address}'`);
  }

  reload(): void {
    this.#ownNavigation = true;
    void this.#opened.session.send('Page.reload');
  }

  get #opened() {
    if (!this.#open) throw new Error('The page is not there yet');
    return this.#open;
  }

  /** Returns the page, and creates it on first use. */
  page() {
    this.#page ??= this.#create();
    return this.#page;
  }

  /**
   * Returns true if the page blocks closing and `will-prevent-unload` isn't prevented. Electron shows no dialog for
   * it.
   */
  staysOpen(): boolean {
    if (!this.isAtWork) return false;
    const event = preventable({});
    this.emit('will-prevent-unload', event);
    return !event.defaultPrevented;
  }

  async closePage(): Promise<void> {
    const page = await this.#page;
    if (page) await theApp.chromium.devtools.send('Target.closeTarget', { targetId: page.targetId });
  }

  destroyed(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.emit('destroyed');
  }

  /** Sends a message as a compromised page or frame. */
  async sendAsCompromisedRenderer(from: 'page' | 'frame', channel: string, values: unknown[]) {
    const { frames, session } = this.#opened;
    // Flushes: when this is answered, earlier events of the page have arrived.
    await session.send('Page.getFrameTree');
    const frame = from === 'page' ? frames.main : frames.ofId(frames.childIds[0] ?? '');
    if (!frame) throw new Error('The page has no frame inside');
    return answerInvocation(this.#ipcEvent(frame), channel, values);
  }

  async #create() {
    const { devtools, browserContextId } = theApp.chromium;
    const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: true });
    const session = devtools.session(sessionId);
    const frames = new Frames(session, targetId);
    this.#open = { session, frames, targetId };
    session.on('Fetch.requestPaused', (request) => void this.#decide(request));
    session.on('Runtime.bindingCalled', (call) => void this.#receive(call));
    session.on('Page.windowOpen', ({ url, windowName }) => this.#askToOpen(fromPage(url), windowName));
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) this.emit('did-navigate', preventable({}), fromPage(frame.url));
    });
    session.on('Page.loadEventFired', () => this.emit('did-finish-load'));
    session.on('Inspector.targetCrashed', () => {
      this.emit('render-process-gone', preventable({}), { reason: 'crashed', exitCode: 5 });
    });
    await Promise.all([
      session.send('Page.enable'),
      session.send('Runtime.enable'),
      session.send('Inspector.enable'),
      session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] }),
      ...(await this.#preloadCommands(session)),
    ]);
    return this.#open;
  }

  async #preloadCommands(session: DevToolsSession): Promise<Promise<unknown>[]> {
    const { preload, contextIsolation = true, sandbox = true, nodeIntegration = false } = this.preferences;
    if (!contextIsolation || !sandbox || nodeIntegration) {
      throw new Error('The stand-in has isolated, sandboxed pages without Node only');
    }
    if (!preload) return [];
    const scripts = worldScripts({ encode, decode }, readFileSync(preload, 'utf8'));
    return [
      session.send('Runtime.addBinding', { name: bindingName, executionContextName: preloadWorld }),
      // The page's world first: it waits for the handshake from the isolated world.
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: scripts.page }),
      session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: scripts.preload,
        worldName: preloadWorld,
      }),
    ];
  }

  // biome-ignore lint/suspicious/noExplicitAny: the shape of Fetch.requestPaused
  async #decide(paused: any): Promise<void> {
    const { session, frames } = this.#opened;
    const { requestId, frameId, resourceType, redirectedRequestId } = paused;
    const url = fromPage(paused.request.url);
    try {
      const isMainFrame = frames.ofId(frameId) === frames.main;
      if (resourceType === 'Document' && !this.#mayNavigate(url, isMainFrame, redirectedRequestId)) {
        await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
        return;
      }
      if (resourceType === 'Document' && isMainFrame) await pagePermissions(this, url);
      if (url === paused.request.url) await session.send('Fetch.continueRequest', { requestId });
      else await this.#fulfill(requestId, url, paused.request);
    } catch (error) {
      // The page may have been closed. Other errors are reported.
      if (this.#destroyed) return;
      process.stderr.write(`${url}: ${error}\n`);
      await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' });
    }
  }

  #mayNavigate(url: string, isMainFrame: boolean, redirected: boolean): boolean {
    if (isMainFrame && this.#ownNavigation && !redirected) {
      this.#ownNavigation = false;
      return true;
    }
    const { frames } = this.#opened;
    const details = preventable({ url, isMainFrame, isSameDocument: false, frame: frames.main });
    if (redirected) this.emit('will-redirect', details, url);
    else {
      this.emit('will-frame-navigate', details);
      if (isMainFrame && !details.defaultPrevented) this.emit('will-navigate', details, url);
    }
    return !details.defaultPrevented;
  }

  async #fulfill(
    requestId: string,
    url: string,
    { method, headers, postData }: { method: string; headers: Record<string, string>; postData?: string },
  ): Promise<void> {
    const body = method === 'GET' || method === 'HEAD' ? {} : { body: postData ?? '' };
    const response = await serveScheme(new Request(url, { method, headers, ...body }));
    await this.#opened.session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders: [...response.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await response.arrayBuffer()).toString('base64'),
    });
  }

  #askToOpen(url: string, frameName: string): void {
    const { action } = this.#windowOpenHandler({ url, frameName });
    if (action !== 'deny') throw new Error('The stand-in for electron does not let pages open windows');
  }

  #ipcEvent(senderFrame: unknown) {
    return loud('IpcMainInvokeEvent', { sender: this.facade, senderFrame, type: 'frame' });
  }

  async #receive({ name, payload, executionContextId }: Record<string, string | number>): Promise<void> {
    if (name !== bindingName) return;
    const { id, channel, values } = decode(String(payload)) as {
      id: number;
      channel: string;
      values: unknown[];
    };
    const frame = this.#opened.frames.ofContext(Number(executionContextId));
    const answer = await answerInvocation(this.#ipcEvent(frame), channel, values);
    await this.#tellPreload(encode({ kind: 'answer', id, ...answer }), Number(executionContextId));
  }

  /** A reply for an earlier document isn't delivered after a navigation. */
  async #tellPreload(text: string, context = this.#opened.frames.contextOf(preloadWorld)): Promise<void> {
    if (context === undefined) return;
    const call = {
      functionDeclaration: `function (text) { globalThis[${JSON.stringify(bindingName)}](text); }`,
      arguments: [{ value: text }],
      executionContextId: context,
    };
    await this.#opened.session.send('Runtime.callFunctionOn', call).catch(() => {});
  }

  /** The object that the main process sees. */
  readonly facade: WebContents = loud<WebContents>('webContents', this);
}
