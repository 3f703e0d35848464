import type { ActingSessions } from '../../shared/acting-sessions.ts';
import type {
  InvocationInput,
  LocalServerState,
  NoticePayload,
  NotificationsShown,
  PendingView,
  SessionsKept,
} from '../../shared/bridge.ts';
import type { SignInMethods } from '../../shared/browser-sign-in.ts';
import type { SignInCode } from '../../shared/code-sign-in.ts';
import type { Connection, Credentials, IncomingReply } from '../../shared/connection.ts';
import type { DesktopSettings } from '../../shared/desktop-settings.ts';
import type { MediaRequest } from '../../shared/media-policy.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { AppliedConfiguration, TemporaryServer } from '../../shared/workbench/host.ts';

export type RequestOptions = {
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
  /** Expected to be slow: ignored by `reachability`. */
  patient?: boolean;
  /** As for `fetch`: the request outlives the page. For small bodies only. */
  keepalive?: boolean;
};

export type ConnectOptions = {
  /** Cancels a sign-in that waits for a browser. */
  signal?: AbortSignal;
  /** The code to sign in with elsewhere. */
  onCode?: (code: SignInCode) => void;
};

/** From the sign-in link or redirect that opened the page. */
export type Entry = { loginToken: string | undefined; response: URLSearchParams | undefined };

export type EventStream = {
  /** Called when the stream is open. */
  onOpen: () => void;
  /** Called with the data of each chunk's events, in order. */
  onEvents: (data: readonly string[]) => void;
  signal: AbortSignal;
};

/** Directory of the old data, and a token to sign in to the new server if the program doesn't. */
export type Replacement = { kept_at: string; login_token?: string };

/** The program that runs a local server. Everything throws `ConnectionFailure`. */
export type LocalProgram = {
  /** Undefined if the server also serves the page. */
  start?(): Promise<unknown>;
  stop(): Promise<unknown>;
  restart(): Promise<unknown>;
  reset(): Promise<Replacement>;
  takeBack(): Promise<Replacement>;
  /** Directory of the previous data, if any, that `takeBack` restores. */
  keptData(): Promise<string | null>;
  /** `pending`: the configuration is valid and the server restarts with it. */
  apply(text: string): Promise<AppliedConfiguration & { pending?: boolean }>;
  temporaryServers(): Promise<TemporaryServer[]>;
  /** @param sampleData whether the server starts with sample data; the desktop app only */
  startTemporaryServer(name: string | undefined, sampleData?: boolean): Promise<TemporaryServer>;
  stopTemporaryServer(name: string): Promise<unknown>;
};

/** The platform: differences between the desktop app and a browser. */
export type ConsoleHost = {
  /**
   * Copies sessions from the user's other tabs, then finishes the sign-in that led to this page. Throws
   * `ConnectionFailure`.
   *
   * @param onChange called when another tab signs in or out
   */
  enter(entry: Entry, onChange: () => void): Promise<void>;
  listConnections(): Promise<Connection[]>;
  /** Throws `ConnectionFailure`. */
  signInMethods(address: string): Promise<SignInMethods>;
  /**
   * Discovers the server, signs in and saves the connection. Throws `ConnectionFailure`. With `browser` credentials, a
   * browser leaves the page, and this never resolves.
   */
  connect(address: string, credentials: Credentials, options?: ConnectOptions): Promise<Connection>;
  /** Signs out and removes the session. */
  disconnect(connectionId: string): Promise<void>;
  /** Returns the reply with any status. Throws `ConnectionFailure` without one. */
  request(connectionId: string, request: PageRequest, options?: RequestOptions): Promise<IncomingReply>;
  /** Downloads a raster image by its mxc URI. Throws `ConnectionFailure`. */
  media(connectionId: string, request: MediaRequest): Promise<Blob>;
  /** Uploads an image. Returns its mxc URI. Throws `ConnectionFailure`. */
  upload(connectionId: string, picture: Blob): Promise<string>;
  /** Logs in as other users. Everything throws `ConnectionFailure`. */
  acting: ActingSessions;
  /** Receives server-sent events until the signal is aborted or the stream ends. Throws `ConnectionFailure`. */
  follow(connectionId: string, path: string, stream: EventStream): Promise<void>;
  backup: {
    /**
     * Creates a backup and saves it where the user chooses. Returns false if they cancel. Throws `ConnectionFailure`,
     * also if the stream is interrupted: the file is unusable then.
     */
    save(connectionId: string, name: string, onBytes: (bytes: number) => void): Promise<boolean>;
    /**
     * Restores a backup. The desktop app opens a file dialog instead; undefined if the user cancels. Throws
     * `ConnectionFailure`, for example if the backup is incomplete, without changing anything.
     *
     * @param onBytes called with the number of bytes sent so far
     */
    restore(
      connectionId: string,
      backup: File | undefined,
      onBytes: (bytes: number) => void,
    ): Promise<Replacement | undefined>;
  };
  /** Logs in with a JWT like a client. Returns the reply with any status. Throws `ConnectionFailure`. */
  tryLogin(connectionId: string, token: string): Promise<IncomingReply>;
  /**
   * Repeats an inspected request with the own session. Returns the reply with any status. Throws `ConnectionFailure`,
   * `refused` for other servers and, in the desktop app, for requests that its page may not send.
   */
  sendAgain(connectionId: string, request: PageRequest): Promise<IncomingReply>;
  /** Opens an https URL in the browser. */
  openExternal(url: string): Promise<void>;
  /** Only in the desktop app. */
  shell?: Shell;
  /** Ends timers, listeners and channels. */
  close(): void;
};

export type Shell = {
  connectLocal(): Promise<Connection>;
  /** Returns whether the host has a custom certificate authority, after the change. */
  authority(address: string, change?: 'choose' | 'remove'): Promise<boolean>;
  /** How sessions are stored. */
  sessionsKept(): Promise<SessionsKept>;
  localServerState(): Promise<LocalServerState>;
  startLocalServer(): Promise<void>;
  program: LocalProgram;
  /** Returns when the server's certificate expires, in milliseconds since the Unix epoch; undefined if unknown. */
  certificateEnd(connectionId: string): Promise<number | undefined>;
  /** Calls the listener on each change until the returned function is called. */
  onLocalServerChange(listener: (state: LocalServerState) => void): () => void;
  settings(): Promise<DesktopSettings>;
  /** Applies settings. Returns the current ones. */
  chooseSettings(chosen: DesktopSettings): Promise<DesktopSettings>;
  notificationsShown(): Promise<NotificationsShown>;
  /** Returns the view requested by a click outside the window, once. */
  takePendingView(): Promise<PendingView | undefined>;
  onPendingView(listener: () => void): () => void;
  /** Makes the tray and notifications use the console's names of connections. */
  sendLooks(looks: InvocationInput<'connections:looks'>): Promise<void>;
  sendUnreviewed(counts: InvocationInput<'reports:unreviewed'>): Promise<void>;
  onMenuCommand(listener: (payload: NoticePayload<'menu:command'>) => void): () => void;
};
