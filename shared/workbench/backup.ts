/**
 * `POST /_gatehouse/v1/backup`: replies with the file that `gatehouse backup` writes (`application/x-tar`): a consistent copy
 * of database, signing key, media and configuration, including all secrets. `gatehouse restore` refuses a truncated one.
 */
import { type Static, Type } from 'typebox';
import { failures } from '../api/common.ts';

export const backupType = 'application/x-tar';

/** Whether the server can be backed up over HTTP. */
export const Backup = Type.Object({
  possible: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Reason and alternative if not possible' })),
  data_dir: Type.String({ description: 'Value of `--data-dir` for a copy of this server' }),
  configuration: Type.Optional(Type.String({ description: 'Value of `--config`, if there is a file' })),
});
export type Backup = Static<typeof Backup>;
export const getBackup = { response: { 200: Backup, ...failures } };
