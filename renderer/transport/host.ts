/**
 * What the console needs from the place where it runs: the desktop shell or a browser. Everything above
 * this file is the same in both.
 */
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

export type ConsoleHost = {
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
  /** Opens an https address outside of the console. */
  openExternal(url: string): Promise<void>;
  /** What only the desktop shell has. */
  shell?: Shell;
};

export type Shell = {
  connectLocal(): Promise<Connection>;
  /** Whether the host of an address has a certificate authority of its own, after a change. */
  authority(address: string, change?: 'choose' | 'remove'): Promise<boolean>;
  /** Whether and how sessions outlast the app. */
  sessionsKept(): Promise<SessionsKept>;
  localServerState(): Promise<LocalServerState>;
  startLocalServer(): Promise<void>;
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
