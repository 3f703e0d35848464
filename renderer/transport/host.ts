import type { ActingSessions } from '../../shared/acting-sessions.ts';
import type {
  InvocationInput,
  LocalServerState,
  NoticePayload,
  NotificationsShown,
  SessionsKept,
  Wanted as WantedView,
} from '../../shared/bridge.ts';
import type { SignInMethods } from '../../shared/browser-sign-in.ts';
import type { SignInCode } from '../../shared/code-sign-in.ts';
import type { Connection, Credentials, IncomingReply } from '../../shared/connection.ts';
import type { DesktopSettings } from '../../shared/desktop-settings.ts';
import type { Wanted } from '../../shared/media-policy.ts';
import type { PageRequest } from '../../shared/outgoing-request.ts';
import type { AppliedConfiguration, Throwaway } from '../../shared/workbench/host.ts';

export type RequestOptions = {
  /** Gives the request up; the promise then rejects as an aborted one does. */
  signal?: AbortSignal;
  /** The server may take its time: that the reply is late says nothing about how well it answers. */
  patient?: boolean;
  /** Sent to its end even where the page closes meanwhile. Its body has to be small. */
  keepalive?: boolean;
};

export type ConnectOptions = {
  /** Gives up a sign-in that waits for a browser. */
  signal?: AbortSignal;
  /** The code to sign in with elsewhere. */
  onCode?: (code: SignInCode) => void;
};

/** The sign-in link or the sign-in redirect that the page was opened with. */
export type Entry = { loginToken: string | undefined; response: URLSearchParams | undefined };

export type EventStream = {
  /** Called when the server begins to answer. */
  onOpen: () => void;
  /** Called with the data of each chunk's events, in order. */
  onEvents: (data: readonly string[]) => void;
  signal: AbortSignal;
};

/** Where the old data is kept, and how to sign in to the new server if the program doesn't. */
export type Replacing = { kept_at: string; login_token?: string };

/** The program that runs a local server. Everything throws `ConnectionFailure`. */
export type LocalProgram = {
  /** Absent where the page stops with the server. */
  start?(): Promise<unknown>;
  stop(): Promise<unknown>;
  restart(): Promise<unknown>;
  reset(): Promise<Replacing>;
  takeBack(): Promise<Replacing>;
  /** Where `takeBack` finds the previous data, if there is some. */
  keptData(): Promise<string | null>;
  /** `pending`: the configuration is valid and the server restarts with it. */
  apply(text: string): Promise<AppliedConfiguration & { pending?: boolean }>;
  throwaways(): Promise<Throwaway[]>;
  startThrowaway(name: string | undefined): Promise<Throwaway>;
  stopThrowaway(name: string): Promise<unknown>;
};

/** Where the console runs: the desktop shell or a browser. Everything above `transport/` is the same in both. */
export type ConsoleHost = {
  /**
   * Takes over the sessions of the person's other tabs, then finishes the sign-in that led to this page. Throws
   * `ConnectionFailure`.
   *
   * @param onChange called when another tab signs in or out
   */
  enter(entry: Entry, onChange: () => void): Promise<void>;
  listConnections(): Promise<Connection[]>;
  /** What the server at an address offers to sign in with. Throws `ConnectionFailure`. */
  signInMethods(address: string): Promise<SignInMethods>;
  /**
   * Finds the server, signs in and remembers the connection. Throws `ConnectionFailure`. With `browser` the page itself
   * leaves in a browser, and this doesn't resolve.
   */
  connect(address: string, credentials: Credentials, options?: ConnectOptions): Promise<Connection>;
  /** Ends the session on the server and forgets it here. */
  disconnect(connectionId: string): Promise<void>;
  /** Throws `ConnectionFailure` where no reply came; a reply with an error status is a reply. */
  request(connectionId: string, request: PageRequest, options?: RequestOptions): Promise<IncomingReply>;
  /** A raster image of the server, `mxc://server/id`. Throws `ConnectionFailure`. */
  media(connectionId: string, wanted: Wanted): Promise<Blob>;
  /** Puts a picture on the server and gives its `mxc://` address. Throws `ConnectionFailure`. */
  upload(connectionId: string, picture: Blob): Promise<string>;
  /** Acting as another user in another program. Everything throws `ConnectionFailure`. */
  acting: ActingSessions;
  /** Follows server-sent events until the signal is aborted or the server ends them. Throws `ConnectionFailure`. */
  follow(connectionId: string, path: string, stream: EventStream): Promise<void>;
  backup: {
    /**
     * Creates a backup and saves it where the person chooses. Returns false if they cancel. Throws `ConnectionFailure`,
     * also where the stream breaks off: nothing usable is saved then.
     */
    save(connectionId: string, name: string, onBytes: (bytes: number) => void): Promise<boolean>;
    /**
     * Restores a backup. The desktop app asks for the file and ignores the given one; undefined if the person cancels.
     * Throws `ConnectionFailure` where the backup is incomplete: nothing has changed then.
     *
     * @param onBytes called with the number of bytes sent so far
     */
    restore(
      connectionId: string,
      backup: File | undefined,
      onBytes: (bytes: number) => void,
    ): Promise<Replacing | undefined>;
  };
  /** Logs in with a JWT like a client. Returns the reply, whatever its status. Throws `ConnectionFailure`. */
  tryLogin(connectionId: string, token: string): Promise<IncomingReply>;
  /**
   * Repeats an inspected request in the own session. Returns the reply, whatever its status. Throws `ConnectionFailure`,
   * `refused` where it may not be sent: a browser sends anything to that server, the desktop app what its page may send.
   */
  sendAgain(connectionId: string, request: PageRequest): Promise<IncomingReply>;
  /** Opens an https address outside of the console. */
  openExternal(url: string): Promise<void>;
  /** Only in the desktop app. */
  shell?: Shell;
  /** Ends timers, listeners and channels. */
  close(): void;
};

export type Shell = {
  connectLocal(): Promise<Connection>;
  /** Whether the host of an address has a certificate authority of its own, after a change. */
  authority(address: string, change?: 'choose' | 'remove'): Promise<boolean>;
  /** Whether and how sessions outlast the app. */
  sessionsKept(): Promise<SessionsKept>;
  localServerState(): Promise<LocalServerState>;
  startLocalServer(): Promise<void>;
  /** Controls the local server. */
  program: LocalProgram;
  /** Until when the server's certificate holds, in milliseconds; undefined where that can't be seen. */
  certificateEnd(connectionId: string): Promise<number | undefined>;
  /** Calls the listener on each change until the returned function is called. */
  onLocalServerChange(listener: (state: LocalServerState) => void): () => void;
  settings(): Promise<DesktopSettings>;
  /** Takes effect at once, and gives what it is then. */
  chooseSettings(chosen: DesktopSettings): Promise<DesktopSettings>;
  notificationsShown(): Promise<NotificationsShown>;
  /** What somebody clicked on outside of the window, once. */
  takeWanted(): Promise<WantedView | undefined>;
  onWanted(listener: () => void): () => void;
  tellUnreviewed(counts: InvocationInput<'reports:unreviewed'>): Promise<void>;
  onMenuCommand(listener: (payload: NoticePayload<'menu:command'>) => void): () => void;
};
