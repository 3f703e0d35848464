/** Cross-signing routes. With external authentication, users approve a reset on the service's account page. */

import {
  postCrossSigningReset,
  postSignatures,
  uploadCrossSigningKeys,
} from '../../../shared/api/encryption-keys.ts';
import {
  confirmPassword,
  type PasswordContext,
  withPassword,
} from '../../identity/accounts/confirm-password.ts';
import { discoveryDocument } from '../../identity/login/external-discovery.ts';
import type { ExternalService } from '../../identity/login/introspection.ts';
import type { DeviceListContext } from '../../identity/sessions/device-list-store.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { StagesLeft } from '../../platform/core/matrix-error.ts';
import { administrator, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { allowReplacement, changeCrossSigning, prepareCrossSigning } from './cross-signing.ts';
import { uploadSignatures } from './upload-signatures.ts';

const action = 'org.matrix.cross_signing_reset';
/** The stage and its unstable name; both are offered (MSC4312). */
const stages = ['m.oauth', action];

/** Replies to an attempt to replace keys. Client-server API, "OAuth authentication". */
async function approvalElsewhere(service: ExternalService): Promise<StagesLeft> {
  const url = await approvalPage(service);
  return new StagesLeft({
    session: 'dummy',
    flows: stages.map((stage) => ({ stages: [stage] })),
    params: Object.fromEntries(stages.map((stage) => [stage, { url }])),
    msg: `To reset your end-to-end encryption cross-signing identity, you first need to approve it at ${url} and then try again.`,
  });
}

/** The service's account management page, or the service itself. */
async function approvalPage(service: ExternalService): Promise<string> {
  const page = (await discoveryDocument(service))?.account_management_uri;
  const url = typeof page === 'string' ? URL.parse(page) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return service.endpoint;
  url.searchParams.set('action', action);
  return url.href;
}

type Context = PasswordContext & DeviceListContext & { clock: Clock };

export const crossSigningRoutes: Routes<Context> = (app, context) => {
  app.post(
    '/keys/device_signing/upload',
    { schema: uploadCrossSigningKeys, config: { policy: withPassword } },
    async ({ body, requester: { userId, appServiceId }, limiter }) => {
      const { master_key, self_signing_key, user_signing_key } = body;
      const { keys, needsPassword } = await prepareCrossSigning(context, userId, {
        master: master_key,
        self_signing: self_signing_key,
        user_signing: user_signing_key,
      });
      const change = async () => {
        await changeCrossSigning(context, userId, keys);
        return {};
      };
      // Users of application services have no password.
      if (!needsPassword || appServiceId !== undefined) return change();
      const { externalAuthentication } = context.config;
      if (externalAuthentication) throw await approvalElsewhere(externalAuthentication);
      const request = { userId, operation: 'POST /keys/device_signing/upload', body };
      return confirmPassword(context, limiter, request, change);
    },
  );

  app.post(
    '/keys/signatures/upload',
    { schema: postSignatures, config: { policy: userOrGuest } },
    async ({ body, requester: { userId } }) => {
      const refused = await uploadSignatures(context, userId, body);
      const byUser = Map.groupBy(refused, (failure) => failure.userId);
      const failures = [...byUser].map(([target, ofUser]) => [
        target,
        Object.fromEntries(
          ofUser.map(({ key, error: { status, errcode, message } }) => [
            key,
            { status, errcode, error: message, message },
          ]),
        ),
      ]);
      return { failures: Object.fromEntries(failures) };
    },
  );
};

/** Under …/admin. For users who can't confirm with a password. */
export const crossSigningAdministrationRoutes: Routes<Context> = (app, context) => {
  app.post(
    '/v1/users/:user_id/_allow_cross_signing_replacement_without_uia',
    { schema: postCrossSigningReset, config: { policy: administrator } },
    async ({ params }) => ({
      updatable_without_uia_before_ms: await allowReplacement(context, params.user_id),
    }),
  );
};
