/** `BrowserWindow`: a page with bounds on a display. */
import type { BrowserWindowConstructorOptions, Rectangle } from 'electron';
import { theApp } from './app.ts';
import { LoudEmitter, loud, preventable } from './loud.ts';
import { WebContents } from './web-contents.ts';

const windows = new Set<BrowserWindow>();
const events = ['close', 'closed', 'ready-to-show', 'maximize', 'unmaximize', 'focus'];

export class BrowserWindow extends LoudEmitter {
  readonly #contents: WebContents;
  readonly #facade: BrowserWindow;
  readonly options: BrowserWindowConstructorOptions;
  #bounds: Rectangle;
  #state = { maximized: false, minimized: false, visible: false, focused: false, destroyed: false };

  constructor(options: BrowserWindowConstructorOptions = {}) {
    super('BrowserWindow', events);
    this.options = options;
    this.#bounds = {
      x: options.x ?? 100,
      y: options.y ?? 100,
      width: options.width ?? 800,
      height: options.height ?? 600,
    };
    this.#state.visible = options.show ?? true;
    this.#contents = new WebContents(options.webPreferences ?? {});
    this.#facade = loud<BrowserWindow>('BrowserWindow', this);
    windows.add(this.#facade);
    theApp.windowOpened(this.#facade);
    theApp.emit('web-contents-created', preventable({}), this.#contents.facade);
    this.#contents.once('did-finish-load', () => this.emit('ready-to-show'));
    void this.#fitPage();
    // biome-ignore lint/correctness/noConstructorReturn: missing members have to fail loudly
    return this.#facade;
  }

  static getAllWindows = () => [...windows];

  get webContents(): WebContents {
    return this.#contents.facade;
  }

  loadURL = (address: string) => this.#contents.loadURL(address);
  isDestroyed = () => this.#state.destroyed;
  isVisible = () => this.#state.visible;
  isMinimized = () => this.#state.minimized;
  isMaximized = () => this.#state.maximized;
  isFocused = () => this.#state.focused;
  getBounds = () => ({ ...this.#bounds });
  /** Bounds when not maximized. */
  getNormalBounds = () => ({ ...this.#bounds });

  overlay: { width: number; height: number; description: string } | undefined;

  setOverlayIcon(icon: { getSize(): { width: number; height: number } } | null, description: string): void {
    if (process.platform !== 'win32') throw new Error('setOverlayIcon is for Windows only');
    this.overlay = icon === null ? undefined : { ...icon.getSize(), description };
  }

  show(): void {
    Object.assign(this.#state, { visible: true, focused: true });
  }

  focus(): void {
    this.#state.focused = true;
  }

  blur(): void {
    this.#state.focused = false;
  }

  minimize(): void {
    Object.assign(this.#state, { minimized: true, focused: false });
  }

  restore(): void {
    this.#state.minimized = false;
  }

  maximize(): void {
    this.#state.maximized = true;
    this.emit('maximize');
  }

  unmaximize(): void {
    this.#state.maximized = false;
    this.emit('unmaximize');
  }

  setBounds(bounds: Partial<Rectangle>): void {
    Object.assign(this.#bounds, bounds);
    void this.#fitPage();
  }

  close(): void {
    if (this.#state.destroyed) return;
    const event = preventable({});
    this.emit('close', event);
    if (event.defaultPrevented || this.#contents.staysOpen()) return;
    this.#state.destroyed = true;
    windows.delete(this.#facade);
    this.#contents.destroyed();
    void this.#contents.closePage();
    this.emit('closed');
    theApp.windowClosed(this.#facade);
  }

  async #fitPage(): Promise<void> {
    const { targetId } = await this.#contents.page();
    const { devtools } = theApp.chromium;
    const { width, height } = this.#bounds;
    try {
      const { windowId } = await devtools.send('Browser.getWindowForTarget', { targetId });
      await devtools.send('Browser.setWindowBounds', { windowId, bounds: { width, height } });
    } catch (error) {
      // Closed before it loaded.
      if (!this.#state.destroyed) throw error;
    }
  }
}
