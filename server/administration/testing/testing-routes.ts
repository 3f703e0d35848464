import { postSeed } from '../../../shared/workbench/seed.ts';
import {
  deleteFault,
  deleteFaults,
  deleteSnapshot,
  getTestClock,
  listFaults,
  listSnapshots,
  postFault,
  postTestClock,
  putSnapshot,
  resetTest,
  restoreSnapshot,
} from '../../../shared/workbench/testing.ts';
import { listLocalparts } from '../../identity/accounts/user-store.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { milliseconds } from '../../platform/config/units.ts';
import { invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import { administrator, type Policy } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { SeedContext } from './add-seed.ts';
import type { Testing } from './testing.ts';

/** Also if the developer tools are available from anywhere. */
const policy: Policy = { ...administrator, from: 'this machine' };

export const testingRoutes: Routes<SeedContext & { testing: Testing }> = (app, context) => {
  const { testing } = context;
  const { clock, faults } = testing;
  const clockState = () => ({ now_ts: clock.now(), frozen: clock.isFrozen });
  const asReply = ({ name, createdTs }: { name: string; createdTs: number }) => ({
    name,
    created_ts: createdTs,
  });

  app.post('/reset', { schema: resetTest, config: { policy } }, async (_request, reply) => {
    await testing.reset(reply.raw);
    return {};
  });

  app.get('/snapshots', { schema: listSnapshots, config: { policy } }, () => ({
    snapshots: testing.snapshots().map(asReply),
  }));
  app.put('/snapshots/:name', { schema: putSnapshot, config: { policy } }, async ({ params }, reply) =>
    asReply(await testing.save(params.name, reply.raw)),
  );
  app.post(
    '/snapshots/:name/restore',
    { schema: restoreSnapshot, config: { policy } },
    async ({ params }, reply) => {
      await testing.restore(params.name, reply.raw);
      return {};
    },
  );
  app.delete(
    '/snapshots/:name',
    { schema: deleteSnapshot, config: { policy } },
    async ({ params }, reply) => {
      await testing.forget(params.name, reply.raw);
      return {};
    },
  );

  app.post('/seed', { schema: postSeed, config: { policy } }, async ({ body }) => {
    const [{ addSeed }, { checkSeed }] = await Promise.all([
      import('./add-seed.ts'),
      import('./read-seed.ts'),
    ]);
    try {
      return await addSeed(context, checkSeed(body, { existing: await listLocalparts(context.db) }));
    } catch (error) {
      throw error instanceof ConfigurationError ? invalidParameter(error.message) : error;
    }
  });

  app.get('/clock', { schema: getTestClock, config: { policy } }, clockState);
  app.post('/clock', { schema: postTestClock, config: { policy } }, ({ body }) => {
    if (body.now_ts !== undefined) clock.set(body.now_ts);
    if (body.frozen !== undefined) clock.freeze(body.frozen);
    if (body.advance !== undefined) clock.advance(milliseconds(body.advance));
    return clockState();
  });

  app.get('/faults', { schema: listFaults, config: { policy } }, () => ({ faults: [...faults.list] }));
  app.post('/faults', { schema: postFault, config: { policy } }, ({ body }) => faults.add(body));
  app.delete('/faults', { schema: deleteFaults, config: { policy } }, () => {
    faults.clear();
    return {};
  });
  app.delete('/faults/:id', { schema: deleteFault, config: { policy } }, ({ params }) => {
    if (!faults.remove(Number(params.id))) throw notFound(`No fault ${params.id}`);
    return {};
  });
};
