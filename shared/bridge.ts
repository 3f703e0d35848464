/**
 * The channels between the main process and the page, with their payloads. The main process checks each input against
 * its schema; both sides use these types.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { ActingSession } from './acting-sessions.ts';
import { SignInMethods } from './browser-sign-in.ts';
import { SignInCode } from './code-sign-in.ts';
import { Connection, Credentials, type FailureCode } from './connection.ts';
import { Looks } from './connection-look.ts';
import { DesktopSettings } from './desktop-settings.ts';
import { LinkTarget } from './link.ts';
import { SentenceValues } from './sentence.ts';
import { AppliedConfiguration, ResetServer, TemporaryServer } from './workbench/host.ts';

const Nothing = Type.Undefined();

/**
 * The built-in homeserver. `failed`: it isn't restarted automatically; `message` says why, and can be translated.
 */
export const LocalServerState = Type.Object({
  status: Type.Union([
    Type.Literal('starting'),
    Type.Literal('running'),
    Type.Literal('restarting'),
    Type.Literal('failed'),
    Type.Literal('stopped'),
  ]),
  /** Its URL for the console on this computer. */
  url: Type.Optional(Type.String()),
  /** All URLs of its listeners, as this computer reaches them. */
  addresses: Type.Optional(Type.Array(Type.String())),
  /** Whether other computers can reach it. */
  isOpen: Type.Optional(Type.Boolean()),
  message: Type.Optional(Type.Object({ sentence: Type.String(), values: Type.Optional(SentenceValues) })),
});
export type LocalServerState = Static<typeof LocalServerState>;

/**
 * How sessions are stored: `encrypted` with the system's keychain; not stored without one (`missing`) or if it couldn't be
 * opened at the start (`locked`); `changed`: encrypted, but the earlier sessions couldn't be read; `unwritten`: the last
 * change couldn't be stored.
 */
export const SessionsKept = Type.Enum(['encrypted', 'missing', 'locked', 'changed', 'unwritten']);
export type SessionsKept = Static<typeof SessionsKept>;

/**
 * Whether the system shows notifications: `unsupported` if it has none; `refused` if it didn't show the last one, with its
 * reason. Some systems don't report failures.
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
/** A view of a connected server to open, after a click on a notification or link. */
export const PendingView = Type.Object({ connectionId: Type.String(), shown: LinkTarget });
export type PendingView = Static<typeof PendingView>;

/** Calls from the page to the main process, by channel. */
export const invocations = {
  'connections:list': { input: Nothing, output: Type.Array(Connection) },
  /** Asks the user, in a native dialog, before the first request to an address. */
  'connections:add': {
    input: Type.Object({ address: Type.String({ maxLength: 2000 }), credentials: Credentials }),
    output: Connection,
  },
  /** Returns a server's sign-in methods. Asks the user, as `connections:add`. */
  'connections:methods': {
    input: Type.Object({ address: Type.String({ maxLength: 2000 }) }),
    output: SignInMethods,
  },
  /**
   * Whether a certificate authority is set for the host of an address. `choose` opens a native file dialog.
   */
  'connections:authority': {
    input: Type.Object({
      address: Type.String({ maxLength: 2000 }),
      change: Type.Optional(Type.Enum(['choose', 'remove'])),
    }),
    output: Type.Object({ isChosen: Type.Boolean() }),
  },
  /** Cancels the sign-in that waits for a browser; it fails with `cancelled`. */
  'connections:cancel': { input: Nothing, output: Nothing },
  'connections:add-local': { input: Nothing, output: Connection },
  /** Labels, colors and production marks, for the tray and notifications. */
  'connections:looks': { input: Looks, output: Nothing },
  'connections:kept': { input: Nothing, output: SessionsKept },
  /** Ends the session on the server and forgets the token. */
  'connections:remove': { input: Type.Object({ connectionId: Type.String() }), output: Nothing },
  request: { input: BridgeRequest, output: BridgeReply },
  /** Cancels a request; it fails with `cancelled`. */
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
  /** Uploads an image to a connected server; anything but a plain raster image is refused. */
  'media:upload': {
    input: Type.Object({ connectionId: Type.String(), bytes: Type.Unsafe<ArrayBuffer>({}) }),
    output: Type.Object({ uri: Type.String({ pattern: '^mxc://' }) }),
  },
  /** When a connected server's certificate expires, in milliseconds since the Unix epoch, if known. */
  'connections:certificate': {
    input: Type.Object({ connectionId: Type.String() }),
    output: Type.Object({ validUntil: Type.Optional(Type.Number()) }),
  },
  /** Acting as another user: the main process gets the token and copies it to the clipboard, once. */
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
  /** Resets the server. Returns where the old data is. Signs everyone out. */
  'local-server:reset': { input: Nothing, output: Type.Pick(ResetServer, ['kept_at']) },
  /** Restores a backup chosen in a native dialog; empty if cancelled. */
  'local-server:restore': { input: Nothing, output: Type.Partial(Type.Pick(ResetServer, ['kept_at'])) },
  /** Undoes the last reset or restore. Returns where its data is. */
  'local-server:take-back': { input: Nothing, output: Type.Pick(ResetServer, ['kept_at']) },
  /** Returns where the data before the last reset or restore is; empty if there is none. */
  'local-server:kept': { input: Nothing, output: Type.Partial(Type.Pick(ResetServer, ['kept_at'])) },
  'local-server:apply': {
    input: Type.Object({ text: Type.String({ maxLength: 1024 * 1024 }) }),
    output: AppliedConfiguration,
  },
  'local-server:temporary-servers': { input: Nothing, output: Type.Array(TemporaryServer) },
  'local-server:start-temporary-server': {
    input: Type.Partial(Type.Object({ name: TemporaryServer.properties.name, sampleData: Type.Boolean() })),
    output: TemporaryServer,
  },
  'local-server:stop-temporary-server': { input: Type.Pick(TemporaryServer, ['name']), output: Nothing },
  /** Resolves when the stream ends, also by `workbench:unfollow`; its events arrive as notices. */
  'workbench:follow': {
    input: Type.Object({ connectionId: Type.String(), path: WorkbenchPath, streamId: Type.String() }),
    output: Nothing,
  },
  'workbench:unfollow': { input: Type.Object({ streamId: Type.String() }), output: Nothing },
  /** A login with a tester's JWT; only on the built-in homeserver. */
  'workbench:try-login': {
    input: Type.Object({ connectionId: Type.String(), token: Type.String({ maxLength: 100_000 }) }),
    output: BridgeReply,
  },
  /** Saves a backup to a file chosen in a native dialog; not `saved` if cancelled. */
  'workbench:backup': {
    input: Type.Object({ connectionId: Type.String(), name: Type.String({ pattern: '^[\\w.-]{1,120}$' }) }),
    output: Type.Object({ saved: Type.Boolean(), bytes: Type.Integer() }),
  },
  'settings:read': { input: Nothing, output: DesktopSettings },
  /** Applies immediately. Returns the settings, because the system may not allow start at login. */
  'settings:write': { input: DesktopSettings, output: DesktopSettings },
  'notifications:shown': { input: Nothing, output: NotificationsShown },
  /** Takes the view to open, if any. */
  'wanted:take': { input: Nothing, output: Type.Object({ wanted: Type.Optional(PendingView) }) },
  /** The console's number of open reports, and the total. */
  'reports:unreviewed': {
    input: Type.Object({
      connectionId: Type.String(),
      unreviewed: Type.Integer({ minimum: 0 }),
      total: Type.Integer({ minimum: 0 }),
    }),
    output: Nothing,
  },
  /** Opens an https URL in the system's browser, if the user agrees to its host. */
  'open-external': { input: Type.Object({ url: Type.String({ pattern: '^https://' }) }), output: Nothing },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export type Invocation = keyof typeof invocations;
export type InvocationInput<Name extends Invocation> = Static<(typeof invocations)[Name]['input']>;
export type InvocationOutput<Name extends Invocation> = Static<(typeof invocations)[Name]['output']>;

/** The result of a call. Errors are data, because Electron would reduce them to their message. */
export type Outcome<Value> =
  | { ok: true; value: Value }
  | { ok: false; failure: { code: FailureCode; message: string; sentence: string; values: SentenceValues } };

/** Notices from the main process to the page, by channel. */
export const notices = {
  'local-server:changed': LocalServerState,
  /** Data of events that arrived together on a stream; empty when the stream has begun. */
  'workbench:events': Type.Object({ streamId: Type.String(), data: Type.Array(Type.String()) }),
  /** The code of the sign-in that waits for a browser. */
  'connections:code': SignInCode,
  /** A view to open is waiting: call `wanted:take`. */
  'wanted:waiting': Nothing,
  'menu:command': Type.Object({ command: Type.Union([Type.Literal('palette'), Type.Literal('settings')]) }),
} as const satisfies Record<string, TSchema>;

export type Notice = keyof typeof notices;
export type NoticePayload<Name extends Notice> = Static<(typeof notices)[Name]>;

/** `window.gatehouse`, set by the preload script. */
export type Bridge = {
  invoke<Name extends Invocation>(
    channel: Name,
    input: InvocationInput<Name>,
  ): Promise<Outcome<InvocationOutput<Name>>>;
  /** Calls the listener for each notice until the returned function is called. */
  listen<Name extends Notice>(channel: Name, listener: (payload: NoticePayload<Name>) => void): () => void;
};
