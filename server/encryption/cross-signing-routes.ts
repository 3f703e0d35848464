import {
  uploadCrossSigningKeys,
  uploadSignatures as uploadSignaturesSchema,
} from '../../shared/api/encryption-keys.ts';
import { confirmPassword, type PasswordContext, withPassword } from '../accounts/confirm-password.ts';
import type { DeviceListContext } from '../accounts/device-list.ts';
import { userOrGuest } from '../http/policy.ts';
import type { Routes } from '../http/routes.ts';
import { changeCrossSigning, prepareCrossSigning } from './cross-signing.ts';
import { uploadSignatures } from './upload-signatures.ts';

export const crossSigningRoutes: Routes<PasswordContext & DeviceListContext> = (app, context) => {
  app.post(
    '/keys/device_signing/upload',
    { schema: uploadCrossSigningKeys, config: { policy: withPassword } },
    async ({ body, requester: { userId }, limiter }) => {
      const { master_key, self_signing_key, user_signing_key } = body;
      const { keys, needsPassword } = await prepareCrossSigning(context.db, userId, {
        master: master_key,
        self_signing: self_signing_key,
        user_signing: user_signing_key,
      });
      const change = async () => {
        await changeCrossSigning(context, userId, keys);
        return {};
      };
      if (!needsPassword) return change();
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
