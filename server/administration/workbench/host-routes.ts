import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { type Backup, backupType, getBackup } from '../../../shared/workbench/backup.ts';
import {
  type BackupFacts,
  getHost,
  type LocalHost,
  listTemporaryServers,
  postHostAction,
  putHostConfiguration,
  resetHost,
  restoreHost,
  restorePreviousData,
  startTemporaryServer,
  stopTemporaryServer,
} from '../../../shared/workbench/host.ts';
import type { Config } from '../../platform/config/config.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { invalidParameter, MatrixError, notFound, unknownError } from '../../platform/core/matrix-error.ts';
import { atWorkbench } from '../../platform/http/policy.ts';
import type { App, Routes } from '../../platform/http/routes.ts';
import { whenClosed } from '../../platform/http/send-json.ts';
import { uploadPath } from '../backup/pending-change.ts';
import { planReset } from '../host/local-host.ts';

/** Runs an operation that stops this server after its reply, or at once if the client has disconnected. */
const afterReply = (reply: FastifyReply, work: () => Promise<unknown>) => {
  // The outcome is in the host's state.
  whenClosed(reply.raw, () => void work().catch(() => {}));
};

/** @throws MatrixError 400 if the content isn't a complete backup */
async function receiveBackup(content: Readable, archive: string): Promise<BackupFacts> {
  // It contains all secrets of the server.
  await pipeline(content, createWriteStream(archive, { flags: 'wx', mode: 0o600 }));
  const { readBackup } = await import('../backup/read-backup.ts');
  try {
    const { server_name, made_ts } = (await readBackup(archive)).manifest;
    return { server_name, made_ts };
  } catch (error) {
    throw error instanceof ConfigurationError ? invalidParameter(error.sentence) : error;
  }
}

/** Only files can be replaced. @throws MatrixError 400 */
function requireDataInFolder({ database }: Config): void {
  if (database.name === 'sqlite3') return;
  throw unknownError(
    "Can't replace a PostgreSQL database from here. Create another database and set it in the configuration.",
  );
}

/** If the server doesn't start again, the file can't be corrected in the console. @throws MatrixError 400 */
async function requireGoodSettings(file: string, { dataDir }: Config): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const { checkConfigurationText } = await import('./check-configuration.ts');
  const problems = await checkConfigurationText({ text, file, dataDir });
  const wrong = problems.find(({ severity }) => severity === 'error');
  if (!wrong) return;
  const { line, setting, sentence } = wrong;
  throw unknownError(
    `The server wouldn't start with ${file}, line ${line}: ${setting && `${setting}: `}${sentence}`,
  );
}

export const hostRoutes: Routes<{ config: Config; host: LocalHost }> = (app, { config, host }) => {
  const policy = atWorkbench(config);

  app.get('/host', { schema: getHost, config: { policy } }, () => host.state());
  app.post('/host/restart', { schema: postHostAction, config: { policy } }, async (_request, reply) => {
    await requireGoodSettings(host.state().configuration_path, config);
    afterReply(reply, host.restart);
    return {};
  });
  app.post('/host/stop', { schema: postHostAction, config: { policy } }, (_request, reply) => {
    afterReply(reply, host.stop);
    return {};
  });
  app.post('/host/reset', { schema: resetHost, config: { policy } }, (_request, reply) => {
    requireDataInFolder(config);
    const planned = planReset(config.dataDir);
    afterReply(reply, () => host.reset(planned));
    return planned;
  });
  app.post('/host/take-back', { schema: restorePreviousData, config: { policy } }, (_request, reply) => {
    requireDataInFolder(config);
    if (host.state().replaced?.outcome !== 'replaced') {
      throw unknownError('No reset or restore to undo');
    }
    const planned = planReset(config.dataDir);
    afterReply(reply, () => host.takeBack(planned));
    return planned;
  });
  app.register(async (scope: App) => {
    // The body is written to disk as it arrives.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    scope.post('/host/restore', { schema: restoreHost, config: { policy } }, async ({ body }, reply) => {
      requireDataInFolder(config);
      const planned = planReset(config.dataDir);
      const archive = uploadPath(config.dataDir);
      const remove = () => rm(archive, { force: true });
      try {
        const backup = await receiveBackup(body as Readable, archive);
        afterReply(reply, () => host.restore(archive, planned).finally(remove));
        return { ...planned, backup };
      } catch (error) {
        await remove();
        throw error;
      }
    });
  });
  app.put(
    '/host/configuration',
    { schema: putHostConfiguration, config: { policy } },
    async ({ body }, reply) => {
      const { checkConfigurationText } = await import('./check-configuration.ts');
      const file = host.state().configuration_path;
      const problems = await checkConfigurationText({ text: body.text, file, dataDir: config.dataDir });
      if (problems.some(({ severity }) => severity === 'error'))
        return { outcome: 'refused' as const, problems };
      afterReply(reply, () => host.apply(body.text));
      return { outcome: 'applied' as const, problems };
    },
  );

  app.get('/host/temporary-servers', { schema: listTemporaryServers, config: { policy } }, async () => ({
    servers: await host.temporaryServers(),
  }));
  app.post('/host/temporary-servers', { schema: startTemporaryServer, config: { policy } }, ({ body }) =>
    host.startTemporaryServer(body.name).catch((error: Error) => {
      throw unknownError(error.message);
    }),
  );
  app.delete(
    '/host/temporary-servers/:name',
    { schema: stopTemporaryServer, config: { policy } },
    async ({ params }) => {
      await host.stopTemporaryServer(params.name).catch((error: Error) => {
        throw error instanceof MatrixError ? error : notFound(error.message);
      });
      return {};
    },
  );
};

export const backupRoutes: Routes<{ config: Config; clock: Clock }> = (app, { config, clock }) => {
  const policy = atWorkbench(config);

  async function status(): Promise<Backup> {
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

  app.get('/backup', { schema: getBackup, config: { policy } }, status);
  app.post('/backup', { config: { policy } }, async (_request, reply) => {
    const { possible, reason } = await status();
    if (!possible) throw unknownError(reason ?? "This server can't be backed up");
    const { writeBackup } = await import('../backup/write-backup.ts');
    const stream = new PassThrough();
    // The status is sent by then: an incomplete reply is the only way to report the error.
    writeBackup({ ...config, clock }, stream).catch((error) => stream.destroy(error));
    const name = `${config.serverName.replaceAll(/[^\w.-]/g, '_')}-${new Date(clock.now()).toISOString().slice(0, 10)}.tar`;
    return reply
      .type(backupType)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(stream);
  });
};
