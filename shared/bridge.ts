/**
 * Every channel between the shell's main process and the page, with what travels on it. The main side
 * checks each input against its schema; both sides take their types from here.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { ActingSession } from './acting-sessions.ts';
import { SignInMethods } from './browser-sign-in.ts';
import { SignInCode } from './code-sign-in.ts';
import { Connection, Credentials, type FailureCode } from './connection.ts';
import { Looks } from './connection-look.ts';
import { DesktopSettings } from './desktop-settings.ts';
import { Shown } from './link.ts';
import { SentenceValues } from './sentence.ts';
import { AppliedConfiguration, ResetServer, Throwaway } from './workbench/host.ts';

const Nothing = Type.Undefined();

/**
 * The homeserver in the box. `failed` means that it is not started again by itself; `message` says why, in whatever language it
 * is shown in.
 */
export const LocalServerState = Type.Object({
  status: Type.Union([
    Type.Literal('starting'),
    Type.Literal('running'),
    Type.Literal('restarting'),
    Type.Literal('failed'),
    Type.Literal('stopped'),
  ]),
  /** Where the console reaches it, on this machine. */
  url: Type.Optional(Type.String()),
  /** Everywhere it listens, as its configuration says and as this machine itself reaches it. */
  addresses: Type.Optional(Type.Array(Type.String())),
  /** Whether others on the network may reach it at one of them. */
  isOpen: Type.Optional(Type.Boolean()),
  message: Type.Optional(Type.Object({ sentence: Type.String(), values: Type.Optional(SentenceValues) })),
});
export type LocalServerState = Static<typeof LocalServerState>;

/**
 * How the sessions outlast the app: `encrypted` by the system's keychain; not at all where there is none (`missing`)
 * or it could not be opened when the app started (`locked`); `changed` is encrypted, but what was there before could not be read; what
 * could not be written down since is `unwritten`.
 */
export const SessionsKept = Type.Enum(['encrypted', 'missing', 'locked', 'changed', 'unwritten']);
export type SessionsKept = Static<typeof SessionsKept>;

/**
 * Whether the system shows notifications: not where it has none (`unsupported`), or where it did not show the last
 * one (`refused`, with what it said). Some systems say nothing of what they don't show.
 */
export const NotificationsShown = Type.Union([
  Type.Object({ state: Type.Literal('shown') }),
  Type.Object({ state: Type.Literal('unsupported') }),
  Type.Object({ state: Type.Literal('refused'), reason: Type.String() }),
]);
export type NotificationsShown = Static<typeof NotificationsShown>;

/** A request to a connected server. The main process adds the address and the token. */
export const BridgeRequest = Type.Object({
  connectionId: Type.String(),
  method: Type.Union([
    Type.Literal('GET'),
    Type.Literal('POST'),
    Type.Literal('PUT'),
    Type.Literal('DELETE'),
  ]),
  path: Type.String({
    pattern: '^/(_(service|chat|synapse|matrix|gatehouse)|api/admin/v1)/',
    description: 'With its query',
  }),
  body: Type.Optional(Type.Unknown({ description: 'As JSON, for every method but GET' })),
  requestId: Type.Optional(Type.String({ description: 'Names it, so that it can be given up' })),
});
export type BridgeRequest = Static<typeof BridgeRequest>;

export const BridgeReply = Type.Object({ status: Type.Integer(), body: Type.Unknown() });
export type BridgeReply = Static<typeof BridgeReply>;

export const MediaContent = Type.Object({ contentType: Type.String(), bytes: Type.Unsafe<ArrayBuffer>({}) });
export type MediaContent = Static<typeof MediaContent>;

const WorkbenchPath = Type.String({ pattern: '^/_gatehouse/v1/', description: 'With its query' });
/** What is to be shown of a connected server: somebody clicked on a notification, or on a link. */
export const Wanted = Type.Object({ connectionId: Type.String(), shown: Shown });
export type Wanted = Static<typeof Wanted>;

/** What the page can ask of the main process: channel → what it sends and what it gets. */
export const invocations = {
  'connections:list': { input: Nothing, output: Type.Array(Connection) },
  /** Asks the person, in a window of the system's own, before it talks to an address for the first time. */
  'connections:add': {
    input: Type.Object({ address: Type.String({ maxLength: 2000 }), credentials: Credentials }),
    output: Connection,
  },
  /** What a server offers to sign in with. Asks the person as `connections:add` does. */
  'connections:methods': {
    input: Type.Object({ address: Type.String({ maxLength: 2000 }) }),
    output: SignInMethods,
  },
  /**
   * Whether the host of an address has a certificate authority of its own. `choose` asks the person for a file, in a
   * window of the system's own.
   */
  'connections:authority': {
    input: Type.Object({
      address: Type.String({ maxLength: 2000 }),
      change: Type.Optional(Type.Enum(['choose', 'remove'])),
    }),
    output: Type.Object({ isChosen: Type.Boolean() }),
  },
  /** Gives up the sign-in that waits for a browser; it then fails as `cancelled`. */
  'connections:cancel': { input: Nothing, output: Nothing },
  'connections:add-local': { input: Nothing, output: Connection },
  /** Labels, colors and production marks, as the tray and notifications show them. */
  'connections:looks': { input: Looks, output: Nothing },
  'connections:kept': { input: Nothing, output: SessionsKept },
  /** Ends the session on the server and forgets the token. */
  'connections:remove': { input: Type.Object({ connectionId: Type.String() }), output: Nothing },
  request: { input: BridgeRequest, output: BridgeReply },
  /** Gives a request up that is under way; its reply is then `cancelled`. */
  'request:abort': { input: Type.Object({ requestId: Type.String() }), output: Nothing },
  /** An image of a connected server, `mxc://server/id`; anything but a plain raster image is refused. */
  media: {
    input: Type.Object({
      connectionId: Type.String(),
      uri: Type.String({ pattern: '^mxc://' }),
      preview: Type.Optional(Type.Boolean({ description: 'A small copy is enough' })),
      thumbnail: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 800, description: 'Pixels; never the whole' }),
      ),
      quarantined: Type.Optional(Type.Boolean({ description: 'Even where it is in quarantine' })),
    }),
    output: MediaContent,
  },
  /** Puts a picture on a connected server; anything but a plain raster image is refused. */
  'media:upload': {
    input: Type.Object({ connectionId: Type.String(), bytes: Type.Unsafe<ArrayBuffer>({}) }),
    output: Type.Object({ uri: Type.String({ pattern: '^mxc://' }) }),
  },
  /** Until when a connected server's certificate holds, in milliseconds since the Unix epoch, where that can be seen. */
  'connections:certificate': {
    input: Type.Object({ connectionId: Type.String() }),
    output: Type.Object({ validUntil: Type.Optional(Type.Number()) }),
  },
  /** Acting as another user: the main process gets the token and puts it on the clipboard, once. */
  'acting:offered': { input: Type.Object({ connectionId: Type.String() }), output: Type.Boolean() },
  'acting:begin': {
    input: Type.Object({ connectionId: Type.String(), userId: Type.String(), minutes: Type.Integer() }),
    output: ActingSession,
  },
  'acting:copy': { input: Type.Object({ id: Type.String() }), output: Nothing },
  'acting:end': { input: Type.Object({ id: Type.String() }), output: Nothing },
  'local-server:state': { input: Nothing, output: LocalServerState },
  'local-server:start': { input: Nothing, output: Nothing },
  'local-server:stop': { input: Nothing, output: Nothing },
  'local-server:restart': { input: Nothing, output: Nothing },
  /** Begins anew with no data, and says where the old is; nobody is signed in to it then. */
  'local-server:reset': { input: Nothing, output: Type.Pick(ResetServer, ['kept_at']) },
  /** Asks the person which backup, in a window of the system's own; nothing where they thought better of it. */
  'local-server:restore': { input: Nothing, output: Type.Partial(Type.Pick(ResetServer, ['kept_at'])) },
  /** Takes the last reset or restore back, and says where the data is now that it had made. */
  'local-server:take-back': { input: Nothing, output: Type.Pick(ResetServer, ['kept_at']) },
  /** Where the data is that can be gone back to; nothing where there is none. */
  'local-server:kept': { input: Nothing, output: Type.Partial(Type.Pick(ResetServer, ['kept_at'])) },
  'local-server:apply': {
    input: Type.Object({ text: Type.String({ maxLength: 1024 * 1024 }) }),
    output: AppliedConfiguration,
  },
  'local-server:throwaways': { input: Nothing, output: Type.Array(Throwaway) },
  'local-server:start-throwaway': {
    input: Type.Partial(Type.Object({ name: Throwaway.properties.name, sampleData: Type.Boolean() })),
    output: Throwaway,
  },
  'local-server:stop-throwaway': { input: Type.Pick(Throwaway, ['name']), output: Nothing },
  /** Resolves when the events end, by themselves or by `workbench:unfollow`; until then they come as notices. */
  'workbench:follow': {
    input: Type.Object({ connectionId: Type.String(), path: WorkbenchPath, streamId: Type.String() }),
    output: Nothing,
  },
  'workbench:unfollow': { input: Type.Object({ streamId: Type.String() }), output: Nothing },
  /** A login with a tester's JSON Web Token; only on the homeserver in the box. */
  'workbench:try-login': {
    input: Type.Object({ connectionId: Type.String(), token: Type.String({ maxLength: 100_000 }) }),
    output: BridgeReply,
  },
  /** Asks the person where to, in a window of the system's own; not `saved` where they thought better of it. */
  'workbench:backup': {
    input: Type.Object({ connectionId: Type.String(), name: Type.String({ pattern: '^[\\w.-]{1,120}$' }) }),
    output: Type.Object({ saved: Type.Boolean(), bytes: Type.Integer() }),
  },
  'settings:read': { input: Nothing, output: DesktopSettings },
  /** Takes effect at once. @returns what it is then: the system may not let the app start at login */
  'settings:write': { input: DesktopSettings, output: DesktopSettings },
  'notifications:shown': { input: Nothing, output: NotificationsShown },
  /** What is to be shown and nobody has taken yet; whoever takes it shows it. */
  'wanted:take': { input: Nothing, output: Type.Object({ wanted: Type.Optional(Wanted) }) },
  /** How many reports the console knows to be unreviewed, of how many. */
  'reports:unreviewed': {
    input: Type.Object({
      connectionId: Type.String(),
      unreviewed: Type.Integer({ minimum: 0 }),
      total: Type.Integer({ minimum: 0 }),
    }),
    output: Nothing,
  },
  /** Opens an https address in the system's browser, once the person has agreed to its host. */
  'open-external': { input: Type.Object({ url: Type.String({ pattern: '^https://' }) }), output: Nothing },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export type Invocation = keyof typeof invocations;
export type InvocationInput<Name extends Invocation> = Static<(typeof invocations)[Name]['input']>;
export type InvocationOutput<Name extends Invocation> = Static<(typeof invocations)[Name]['output']>;

/** What an invocation comes back with: errors cross the bridge as data, so nothing of them is lost. */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; failure: { code: FailureCode; message: string; sentence: string; values: SentenceValues } };

/** What the main process tells the page: channel → payload. */
export const notices = {
  'local-server:changed': LocalServerState,
  /** What came at once on a stream that is followed: the data of its events; none says that it has begun. */
  'workbench:events': Type.Object({ streamId: Type.String(), data: Type.Array(Type.String()) }),
  /** The code of the sign-in that waits for a browser. */
  'connections:code': SignInCode,
  /** There is something to show: take it. */
  'wanted:waiting': Nothing,
  'menu:command': Type.Object({ command: Type.Union([Type.Literal('palette'), Type.Literal('settings')]) }),
} as const satisfies Record<string, TSchema>;

export type Notice = keyof typeof notices;
export type NoticePayload<Name extends Notice> = Static<(typeof notices)[Name]>;

/** What the preload script puts on the page's `window`, as `gatehouse`. */
export type Bridge = {
  invoke<Name extends Invocation>(
    channel: Name,
    input: InvocationInput<Name>,
  ): Promise<Outcome<InvocationOutput<Name>>>;
  /** Calls the listener for each notice until the returned function is called. */
  listen<Name extends Notice>(channel: Name, listener: (payload: NoticePayload<Name>) => void): () => void;
};
