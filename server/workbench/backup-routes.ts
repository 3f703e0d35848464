import { PassThrough } from 'node:stream';
import { type Backup, backupType, getBackup } from '../../shared/workbench/backup.ts';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Clock } from '../core/clock.ts';
import { unknownError } from '../core/matrix-error.ts';
import type { Routes } from '../http/routes.ts';
import { atWorkbench } from './policy.ts';

export const backupRoutes: Routes<{ config: Config; clock: Clock }> = (app, { config, clock }) => {
  const policy = atWorkbench(config);

  async function found(): Promise<Backup> {
    const { requireCopyable } = await import('../backup/write-backup.ts');
    const { dataDir: data_dir, file: configuration } = config;
    const source = { data_dir, ...(configuration !== undefined && { configuration }) };
    try {
      requireCopyable(config);
      return { possible: true, ...source };
    } catch (error) {
      if (error instanceof ConfigurationError) return { possible: false, reason: error.message, ...source };
      throw error;
    }
  }

  app.get('/backup', { schema: getBackup, config: { policy } }, found);
  app.post('/backup', { config: { policy } }, async (_request, reply) => {
    const { possible, reason } = await found();
    if (!possible) throw unknownError(reason ?? "This server can't be backed up");
    const { writeBackup } = await import('../backup/write-backup.ts');
    const stream = new PassThrough();
    // A reply that breaks off says all that can be said by then.
    writeBackup({ ...config, clock }, stream).catch((error) => stream.destroy(error));
    const name = `${config.serverName.replaceAll(/[^\w.-]/g, '_')}-${new Date(clock.now()).toISOString().slice(0, 10)}.tar`;
    return reply
      .type(backupType)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(stream);
  });
};
