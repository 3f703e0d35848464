/**
 * Operations of the program that runs the server: the desktop app, or `npm start` in a terminal. Over HTTP under
 * `/_gatehouse/v1/host`; 404 `M_UNRECOGNIZED` without such a program.
 */
import { type Static, Type } from 'typebox';
import { EmptyObject, failures, Timestamp } from '../api/common.ts';
import { ConfigurationProblem } from './configuration.ts';

/** A temporary server beside this one, whose data is deleted when it stops. */
export const Throwaway = Type.Object({
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
  url: Type.String(),
  server_name: Type.String(),
  user_id: Type.String({ description: 'User ID of the admin' }),
  access_token: Type.String(),
});
export type Throwaway = Static<typeof Throwaway>;

/** Where a reset leaves the old data, and a login token for the local administrator of the new server. */
export const ResetServer = Type.Object({ kept_at: Type.String(), login_token: Type.String() });
export type ResetServer = Static<typeof ResetServer>;

/** Metadata of a backup. */
export const BackupFacts = Type.Object({ server_name: Type.String(), made_ts: Timestamp });
export type BackupFacts = Static<typeof BackupFacts>;

/** Result of a reset, a restore, or undoing either. `went_back`: it runs with its earlier data. */
export const ReplacedData = Type.Object({
  outcome: Type.Enum(['replaced', 'went_back'] as const),
  kept_at: Type.String({
    description: 'Directory of the previous data; gone after a rollback',
  }),
  message: Type.Optional(Type.String({ description: 'Reason for the rollback' })),
});
export type ReplacedData = Static<typeof ReplacedData>;

/**
 * `refused`: nothing has changed. `went_back`: the server would not start with it, and runs as before. The page that
 * asks over HTTP gets its reply before the server goes, and finds out by `GET host`.
 */
export const AppliedConfiguration = Type.Object({
  outcome: Type.Enum(['applied', 'refused', 'went_back'] as const),
  problems: Type.Array(ConfigurationProblem),
  message: Type.Optional(
    Type.String({ description: 'Startup error of the server, or reason that nothing was written' }),
  ),
});
export type AppliedConfiguration = Static<typeof AppliedConfiguration>;

export const HostState = Type.Object({
  status: Type.Enum(['starting', 'running', 'stopped', 'failed'] as const),
  starts: Type.Integer({ description: 'Number of starts by this program' }),
  url: Type.Optional(Type.String()),
  data_dir: Type.String(),
  configuration_path: Type.String(),
  /** Result of the last applied configuration, since the program started. */
  applied: Type.Optional(AppliedConfiguration),
  /** Result of the last replacement of its data; after a restart of the program, only if it can be undone. */
  replaced: Type.Optional(ReplacedData),
  message: Type.Optional(Type.String({ description: "Reason that the server isn't running" })),
});
export type HostState = Static<typeof HostState>;

/**
 * The same within the program, for the desktop app's bridge and the routes. Operations run one after the other. Each
 * rejects with an Error whose message is a sentence for the user.
 */
export type LocalHost = {
  state(): HostState;
  start(): Promise<HostState>;
  stop(): Promise<HostState>;
  restart(): Promise<HostState>;
  /**
   * Stops the server, moves its data aside, keeps its configuration, and starts it.
   *
   * @param planned the data's new place and the token, if they have been announced already
   */
  reset(planned?: ResetServer): Promise<ResetServer>;
  /**
   * The same with the data of a backup, and with its configuration where it has one; goes back where the server does not
   * start on it.
   *
   * @param archive a file as `gatehouse backup` writes it
   */
  restore(archive: string, planned?: ResetServer): Promise<ResetServer>;
  /** Takes the last reset or restore back: the data from before it is served again, and the present one is kept. */
  takeBack(planned?: ResetServer): Promise<ResetServer>;
  /** Checks a configuration, writes it, and restarts. Restores the earlier one if the server doesn't start. */
  apply(text: string): Promise<AppliedConfiguration>;
  throwaways(): Promise<Throwaway[]>;
  /** Without a name it is given one. */
  startThrowaway(name?: string, sampleData?: boolean): Promise<Throwaway>;
  stopThrowaway(name: string): Promise<void>;
};

export const getHost = { response: { 200: HostState, ...failures } };
/**
 * `POST host/restart`, `POST host/stop`: the reply comes first, then the server goes. A restart is 400 where the
 * configuration by now would keep it from starting again.
 */
export const postHostAction = { response: { 200: EmptyObject, ...failures } };
/** `POST host/reset`: the reply comes first; sign in with the token once the server is there again. */
export const resetHost = { response: { 200: ResetServer, ...failures } };
/**
 * `POST host/restore`, with the backup as its body: 400 where that is not whole, and nothing changes. The reply comes
 * first; see `GET host` for what came of it.
 */
export const restoreHost = {
  response: { 200: Type.Object({ ...ResetServer.properties, backup: BackupFacts }), ...failures },
};
/** `POST host/take-back`: undoes a reset or restore; 400 if there is none. Replies first. */
export const takeHostBack = resetHost;
/** `PUT host/configuration`: 200 `applied`: the configuration is valid, and the server restarts; see `GET host`. */
export const putHostConfiguration = {
  body: Type.Object({ text: Type.String({ maxLength: 1024 * 1024 }) }, { additionalProperties: true }),
  response: { 200: AppliedConfiguration, ...failures },
};
export const listThrowaways = {
  response: { 200: Type.Object({ servers: Type.Array(Throwaway) }), ...failures },
};
export const startThrowaway = {
  body: Type.Object(
    { name: Type.Optional(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' })) },
    { additionalProperties: true },
  ),
  response: { 200: Throwaway, ...failures },
};
/** `DELETE host/throwaways/:name`. */
export const stopThrowaway = {
  params: Type.Object({ name: Type.String() }),
  response: { 200: EmptyObject, ...failures },
};
