import {
  postCrossSigningReset,
  uploadCrossSigningKeys,
  uploadSignatures as uploadSignaturesSchema,
} from '../../shared/api/encryption-keys.ts';
import { confirmPassword, type PasswordContext, withPassword } from '../accounts/confirm-password.ts';
import type { DeviceListContext } from '../accounts/device-list.ts';
import type { Clock } from '../core/clock.ts';
import { administrator, userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { allowReplacement, changeCrossSigning, prepareCrossSigning } from './cross-signing.ts';
import { approvalElsewhere } from './reset-elsewhere.ts';
import { uploadSignatures } from './upload-signatures.ts';

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
      // Users of an application service have none.
      if (!needsPassword || appServiceId !== undefined) return change();
      const { externalAuthentication } = context.config;
      if (externalAuthentication) throw await approvalElsewhere(externalAuthentication);
      const request = { userId, operation: 'POST /keys/device_signing/upload', body };
      return confirmPassword(context, limiter, request, change);
    },
  );

  app.post(
    '/keys/signatures/upload',
    { schema: uploadSignaturesSchema, config: { policy: userOrGuest } },
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

/** Under …/admin: for users who can't prove who they are, such as those of another service's accounts. */
export const crossSigningAdministrationRoutes: Routes<Context> = (app, context) => {
  app.post(
    '/v1/users/:user_id/_allow_cross_signing_replacement_without_uia',
    { schema: postCrossSigningReset, config: { policy: administrator } },
    async ({ params }) => ({
      updatable_without_uia_before_ms: await allowReplacement(context, params.user_id),
    }),
  );
};
