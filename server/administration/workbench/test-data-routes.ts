import { randomBytes } from 'node:crypto';
import { createSignInLink, createWorkbenchUser } from '../../../shared/workbench/people.ts';
import { getSampleData, startSampleData, stopSampleData } from '../../../shared/workbench/sample-data.ts';
import { type AccountContext, createUser } from '../../identity/accounts/create-user.ts';
import { findUser } from '../../identity/accounts/user-store.ts';
import { createLoginToken } from '../../identity/login/login-tokens.ts';
import { openSession } from '../../identity/sessions/sessions.ts';
import { asUserId } from '../../platform/core/identifiers.ts';
import { invalidParameter, notFound } from '../../platform/core/matrix-error.ts';
import { atWorkbench } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { JobContext, SampleDataJobs } from './sample-data-job.ts';

/** In milliseconds. */
const linkLifetime = 10 * 60_000;

export const peopleRoutes: Routes<AccountContext> = (app, context) => {
  const { config, clock, db } = context;
  const policy = atWorkbench(config);

  app.post('/users', { schema: createWorkbenchUser, config: { policy } }, async ({ body, requester }) => {
    const localpart = body.name ?? `tester-${randomBytes(4).toString('hex')}`;
    const password = randomBytes(12).toString('base64url');
    const userId = await createUser(context, {
      localpart,
      password,
      limiterKey: requester.userId,
      admin: body.admin,
    });
    const { accessToken, deviceId } = await openSession(context, userId);
    return { user_id: userId, password, access_token: accessToken, device_id: deviceId };
  });

  app.post(
    '/sign-in-link',
    { schema: createSignInLink, config: { policy } },
    async ({ body, protocol, host }) => {
      const userId = asUserId(body.user, config.serverName);
      const user = await findUser(db, userId);
      if (!user) throw notFound(`No user ${userId}`);
      if (user.deactivated) throw invalidParameter(`The account of ${userId} has been deactivated`);
      const token = await createLoginToken(context, userId, { lifetimeMs: linkLifetime });
      return {
        login_token: token,
        expires_ts: clock.now() + linkLifetime,
        ...(config.console &&
          user.admin && { console_url: `${protocol}://${host}/console/#login_token=${token}` }),
      };
    },
  );
};

export const sampleDataRoutes: Routes<JobContext & { sampleData: SampleDataJobs }> = (app, context) => {
  const policy = atWorkbench(context.config);
  const { sampleData } = context;

  app.get('/sample-data', { schema: getSampleData, config: { policy } }, () => sampleData.state);
  app.post('/sample-data', { schema: startSampleData, config: { policy } }, ({ body }) =>
    sampleData.start(context, { reports: body.reports, users: body.users }),
  );
  app.delete('/sample-data', { schema: stopSampleData, config: { policy } }, () => sampleData.stop());
};
