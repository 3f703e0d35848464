import type { JsonObject } from '../../../shared/api/common.ts';
import {
  type CrossSigningKey,
  postKeysClaim,
  postKeysQuery,
  postKeysUpload,
  sendToDevice,
} from '../../../shared/api/encryption-keys.ts';
import type { Config } from '../../platform/config/config.ts';
import { requireUserId } from '../../platform/core/identifiers.ts';
import { unknownError } from '../../platform/core/matrix-error.ts';
import type { Requester } from '../../platform/core/requester.ts';
import { type UserPolicy, userOrGuest } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { Usage } from './cross-signing-store.ts';
import { asFailures, byServer, claimKeys, type QueriedKeys, queryKeys } from './query-and-claim-keys.ts';
import { sendToDevices, type ToDeviceContext } from './to-device.ts';
import { type UploadContext, uploadKeys } from './upload-keys.ts';

export const keyRoutes: Routes<UploadContext & { config: Config }> = (app, context) => {
  const { db, config } = context;
  const { serverName } = config;

  app.post(
    '/keys/upload',
    { schema: postKeysUpload, config: { policy: userOrGuest } },
    async ({ requester, body }) => ({
      one_time_key_counts: await uploadKeys(context, requireOwnDevice(requester), body),
    }),
  );

  app.post(
    '/keys/query',
    { schema: postKeysQuery, config: { policy: userOrGuest } },
    async ({ requester, body }) =>
      asQueryReply(await queryKeys({ db, serverName }, requester.userId, body.device_keys)),
  );

  app.post('/keys/claim', { schema: postKeysClaim, config: { policy: userOrGuest } }, async ({ body }) => {
    const { one_time_keys: requested = {} } = body;
    const { local, foreignServers } = byServer(Object.keys(requested).map(requireUserId), serverName);
    const wanted = local.flatMap((userId) =>
      Object.entries(requested[userId] ?? {}).map(([deviceId, algorithm]) => ({
        userId,
        deviceId,
        algorithm,
      })),
    );
    const claimed = Map.groupBy(await claimKeys(db, wanted), ({ userId }) => userId);
    const byUser = [...claimed].map(([userId, keys]) => {
      const byDevice = keys.map(({ deviceId, algorithm, keyId, key }) => [
        deviceId,
        { [`${algorithm}:${keyId}`]: key },
      ]);
      return [userId, Object.fromEntries(byDevice)];
    });
    return { one_time_keys: Object.fromEntries(byUser), failures: asFailures(foreignServers) };
  });
};

/** @throws MatrixError 400 for a token without a device */
function requireOwnDevice({ userId, deviceId }: Requester): { userId: string; deviceId: string } {
  if (deviceId !== null) return { userId, deviceId };
  throw unknownError("Your access token doesn't belong to a device");
}

function asQueryReply({ devices, crossSigning, foreignServers }: QueriedKeys) {
  const ofUsage = (usage: Usage): Record<string, CrossSigningKey> =>
    Object.fromEntries(
      [...crossSigning].flatMap(([userId, { [usage]: key }]) => (key ? [[userId, key]] : [])),
    );
  const byUser = [...devices].map(([userId, ofUser]): [string, Record<string, JsonObject>] => [
    userId,
    Object.fromEntries(
      ofUser.map(({ deviceId, displayName, keys }) => [
        deviceId,
        { ...keys, unsigned: displayName === null ? {} : { device_display_name: displayName } },
      ]),
    ),
  ]);
  return {
    device_keys: Object.fromEntries(byUser),
    failures: asFailures(foreignServers),
    master_keys: ofUsage('master'),
    self_signing_keys: ofUsage('self_signing'),
    user_signing_keys: ofUsage('user_signing'),
  };
}

/** The handler takes key requests from the limit, because excess ones are dropped without an error. */
const sendingPolicy: UserPolicy = { ...userOrGuest, limits: [{ of: 'keyRequests', by: 'in the handler' }] };

export const toDeviceRoutes: Routes<ToDeviceContext> = (app, context) => {
  app.put(
    '/sendToDevice/:eventType/:transactionId',
    { schema: sendToDevice, config: { policy: sendingPolicy } },
    async ({ params, body, requester, limiter }) => {
      const { eventType: type, transactionId } = params;
      const sending = { type, transactionId, messages: body.messages };
      await sendToDevices(context, requester, sending, limiter('keyRequests'));
      return {};
    },
  );
};
