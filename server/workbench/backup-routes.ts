import { PassThrough } from 'node:stream';
import { backupType } from '../../shared/workbench/backup.ts';
import type { Config } from '../config/config.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { Clock } from '../core/clock.ts';
import { unknownError } from '../core/matrix-error.ts';
import type { Routes } from '../http/routes.ts';
import { atWorkbench } from './policy.ts';

export const backupRoutes: Routes<{ config: Config; clock: Clock }> = (app, { config, clock }) => {
  app.post('/backup', { config: { policy: atWorkbench(config) } }, async (_request, reply) => {
    const { requireKeptDatabase, writeBackup } = await import('../backup/write-backup.ts');
    try {
      requireKeptDatabase(config);
    } catch (error) {
      throw error instanceof ConfigurationError ? unknownError(error.message) : error;
    }
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
