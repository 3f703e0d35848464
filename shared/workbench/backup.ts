/**
 * `POST /_gatehouse/v1/backup`: the reply is a file, `application/x-tar`, as `gatehouse backup` writes it: a consistent
 * copy of the database, the signing key, the media and the configuration. It holds every secret of the server. A reply
 * that breaks off is no backup: `gatehouse restore` refuses it.
 */
import { type Static, Type } from 'typebox';
import { failures } from '../api/common.ts';

export const backupType = 'application/x-tar';

/** Whether this server can be backed up so. */
export const Backup = Type.Object({
  possible: Type.Boolean(),
  reason: Type.Optional(Type.String({ description: 'Reason and alternative if not possible' })),
  data_dir: Type.String({ description: 'Value of `--data-dir` for a copy of this server' }),
  configuration: Type.Optional(Type.String({ description: 'Value of `--config`, if there is a file' })),
});
export type Backup = Static<typeof Backup>;
export const getBackup = { response: { 200: Backup, ...failures } };
