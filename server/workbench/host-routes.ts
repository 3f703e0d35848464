import type { FastifyReply } from 'fastify';
import {
  getHost,
  type LocalHost,
  listThrowaways,
  postHostAction,
  putHostConfiguration,
  resetHost,
  startThrowaway,
  stopThrowaway,
} from '../../shared/workbench/host.ts';
import type { Config } from '../config/config.ts';
import { MatrixError, notFound, unknownError } from '../core/matrix-error.ts';
import { planReset } from '../host/plan-reset.ts';
import type { Routes } from '../http/routes.ts';
import { atWorkbench } from './policy.ts';

/** What ends the server that answers happens after its answer. */
const afterReply = (reply: FastifyReply, work: () => Promise<unknown>) => {
  // What comes of it is in the host's state.
  reply.raw.once('close', () => void work().catch(() => {}));
};

export const hostRoutes: Routes<{ config: Config; host: LocalHost }> = (app, { config, host }) => {
  const policy = atWorkbench(config);

  app.get('/host', { schema: getHost, config: { policy } }, () => host.state());
  app.post('/host/restart', { schema: postHostAction, config: { policy } }, (_request, reply) => {
    afterReply(reply, host.restart);
    return {};
  });
  app.post('/host/stop', { schema: postHostAction, config: { policy } }, (_request, reply) => {
    afterReply(reply, host.stop);
    return {};
  });
  app.post('/host/reset', { schema: resetHost, config: { policy } }, (_request, reply) => {
    const planned = planReset(config.dataDir);
    afterReply(reply, () => host.reset(planned));
    return planned;
  });
  app.put(
    '/host/configuration',
    { schema: putHostConfiguration, config: { policy } },
    async ({ body }, reply) => {
      const { problemsIn } = await import('./configuration-problems.ts');
      const problems = await problemsIn(body.text, host.state().configuration_path, config.dataDir);
      if (problems.some(({ severity }) => severity === 'error'))
        return { outcome: 'refused' as const, problems };
      afterReply(reply, () => host.apply(body.text));
      return { outcome: 'applied' as const, problems };
    },
  );

  app.get('/host/throwaways', { schema: listThrowaways, config: { policy } }, async () => ({
    servers: await host.throwaways(),
  }));
  app.post('/host/throwaways', { schema: startThrowaway, config: { policy } }, ({ body }) =>
    host.startThrowaway(body.name).catch((error: Error) => {
      throw unknownError(error.message);
    }),
  );
  app.delete('/host/throwaways/:name', { schema: stopThrowaway, config: { policy } }, async ({ params }) => {
    await host.stopThrowaway(params.name).catch((error: Error) => {
      throw error instanceof MatrixError ? error : notFound(error.message);
    });
    return {};
  });
};
