/** Starts the built shell on the Electron stand-in and drives it as a user or an attacker would. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageBoxOptions } from 'electron';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import type { Bridge, Invocation, InvocationInput, InvocationOutput, Outcome } from '../../shared/bridge.ts';
import { patience } from '../patience.ts';
import { builtShell } from './build.ts';
import { contextOf, forget, pageIn, placeOf } from './shared-windows.ts';
import type { Command, Commands, FromStandIn, ToStandIn } from './stand-in/control-messages.ts';
import type { Settings } from './stand-in/settings.ts';

export type AppOptions = {
  /** Path of `dist/` with the bundles and the console. */
  dist?: string;
  /** Profile of an app that has quit or is still running. */
  profile?: string;
  /** Home directory. The app gets no profile then and chooses one there. */
  home?: string;
  arguments?: string[];
  settings?: Partial<Settings>;
  environment?: Record<string, string>;
  /** Starts a separate Chromium instead of sharing the tests' one. */
  ownChromium?: boolean;
};

const register = new URL('stand-in/register.ts', import.meta.url).href;

export function newProfile(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-app-'));
}

/** Returns the stand-in's command line: Node's arguments, the main script, and the app's arguments. */
export const appArguments = ({
  dist = builtShell,
  profile,
  home,
  arguments: given = [],
}: AppOptions): string[] => [
  '--import',
  register,
  join(dist, 'electron/main.js'),
  ...(home === undefined ? [`--user-data-dir=${profile}`] : []),
  ...given,
];

export function appEnvironment({ profile, home, settings, environment }: AppOptions): NodeJS.ProcessEnv {
  const machine: Settings = {
    keychain: `${profile}.keychain`,
    encryption: 'available',
    displays: [{ x: 0, y: 0, width: 1920, height: 1080 }],
    packaged: false,
    ...settings,
  };
  return {
    ...process.env,
    ...(home !== undefined && { HOME: home, XDG_CONFIG_HOME: join(home, '.config') }),
    ...environment,
    STAND_IN_SETTINGS: JSON.stringify(machine),
  };
}

/** Starts the process only; `startApp` also waits for its window. */
export function launchApp({ profile = newProfile(), ownChromium = false, ...options }: AppOptions = {}): App {
  const settings = { sharedChromium: !ownChromium, ...options.settings };
  const child = spawn(process.execPath, appArguments({ profile, ...options }), {
    env: appEnvironment({ profile, ...options, settings }),
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return new App(child, profile, ownChromium);
}

export async function startApp(options: AppOptions = {}): Promise<App> {
  const app = launchApp(options);
  try {
    await app.open();
    return app;
  } catch (error) {
    await app.dispose();
    throw new Error(`The app did not open its window. It wrote:\n${app.output}`, { cause: error });
  }
}

export class App {
  readonly profile: string;
  readonly process: ChildProcess;
  /** Terminal output of the app. */
  output = '';
  /** Arguments of the relaunch that the app requested, if any. */
  relaunch: { args: string[]; execPath: string } | undefined;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  readonly #messages = new EventEmitter({ captureRejections: true });
  readonly #dialogs: { id: number; options: MessageBoxOptions }[] = [];
  readonly #ready: Promise<string>;
  readonly #ownChromium: boolean;
  #browser: Browser | undefined;
  #page: Page | undefined;
  #lastId = 0;

  constructor(child: ChildProcess, profile: string, ownChromium: boolean) {
    this.process = child;
    this.profile = profile;
    this.#ownChromium = ownChromium;
    const ready = Promise.withResolvers<string>();
    this.#ready = ready.promise;
    this.#ready.catch(() => {});
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.ended = new Promise((resolve) => {
      // Not `exit`, which may come before the last output.
      child.once('close', (code) => {
        ready.reject(new Error(`The app ended with code ${code} before it was ready:\n${this.output}`));
        resolve(code);
      });
    });
    child.on('message', (message: FromStandIn) => {
      if (message.type === 'ready') ready.resolve(message.endpoint);
      else if (message.type === 'chromium') void this.#openPlace();
      else if (message.type === 'relaunch') this.relaunch = message;
      else if (message.type === 'answer') this.#messages.emit(`answer ${message.id}`, message);
      else {
        this.#dialogs.push(message);
        this.#messages.emit('dialog');
      }
    });
  }

  get page(): Page {
    if (!this.#page) throw new Error('The app has no window yet');
    return this.#page;
  }

  /** Attaches to the page that the app shows in its window. */
  async open(): Promise<Page> {
    const endpoint = await this.#ready;
    const context = this.#ownChromium ? await this.#connect(endpoint) : await contextOf(this.profile);
    return this.#follow(context.pages()[0] ?? (await context.waitForEvent('page')));
  }

  async #follow(page: Page): Promise<Page> {
    this.#page = page;
    await this.#page.waitForURL(/\/console\//);
    await this.#page.waitForFunction(() => window.gatehouse !== undefined);
    return this.#page;
  }

  /** All pages of the Chromium are in one context here, even those that the app opened in another. */
  async #connect(endpoint: string): Promise<BrowserContext> {
    this.#browser ??= await chromium.connectOverCDP(endpoint);
    const context = this.#browser.contexts()[0];
    if (!context) throw new Error('Chromium has no context');
    context.setDefaultTimeout(patience);
    return context;
  }

  /** Sets the browser context for the app's windows. */
  async #openPlace(): Promise<void> {
    await this.command('useChromium', await placeOf(this.profile));
  }

  /** Attaches to the app's new page after a crash. */
  async reopen(): Promise<Page> {
    await this.#browser?.close();
    this.#browser = undefined;
    const all = await this.#connect(await this.#ready);
    const own = this.#ownChromium ? (all.pages()[0] ?? all.waitForEvent('page')) : pageIn(all, this.profile);
    return this.#follow(await own);
  }

  /** Invokes the bridge from the page and returns the result. */
  invoke<Name extends Invocation>(
    channel: Name,
    input: InvocationInput<Name>,
  ): Promise<Outcome<InvocationOutput<Name>>> {
    return this.page.evaluate(
      ([name, value]) => (window.gatehouse as Bridge).invoke(name as Invocation, value as never),
      [channel, input] as const,
    ) as Promise<Outcome<InvocationOutput<Name>>>;
  }

  async command<Name extends Command>(
    command: Name,
    ...[input]: Commands[Name]['input'] extends undefined ? [] : [Commands[Name]['input']]
  ): Promise<Commands[Name]['output']> {
    const id = ++this.#lastId;
    const answered = once(this.#messages, `answer ${id}`);
    this.process.send({ id, command, input } satisfies ToStandIn);
    const [answer] = await answered;
    if (!answer.ok) throw new Error(answer.value);
    return answer.value;
  }

  /** Waits for the app's next dialog. The dialog stays open until answered. */
  async nextDialog(): Promise<{ options: MessageBoxOptions; answer(button: string): Promise<void> }> {
    while (this.#dialogs.length === 0) await once(this.#messages, 'dialog');
    const [{ id, options } = { id: 0, options: { message: '' } }] = this.#dialogs.splice(0, 1);
    return {
      options,
      answer: async (button) => {
        const response = options.buttons?.indexOf(button) ?? -1;
        if (response < 0) throw new Error(`The dialog has no button '${button}'`);
        await this.command('answerDialog', { id, response });
      },
    };
  }

  get openDialogs(): number {
    return this.#dialogs.length;
  }

  /** Quits the app as a user would and keeps the profile for the next start. */
  async quit(): Promise<number | null> {
    await this.command('quit');
    return this.ended;
  }

  /** Stops the remaining processes and deletes the profile. */
  async dispose(): Promise<void> {
    await this.#browser?.close().catch(() => {});
    if (this.process.exitCode === null && this.process.signalCode === null) this.process.kill('SIGTERM');
    await this.ended;
    await forget(this.profile);
    // Its own Chromium writes there until the last process has exited.
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    rmSync(`${this.profile}.keychain`, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }
}
