/** Subscriptions of users to threads. Matrix proposals 4306 and 4308. */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures } from './common.ts';

const bump_stamp = Type.Integer({ description: 'Increases with each change of the thread' });

/** By room and thread. */
export const SubscriptionChanges = Type.Object({
  subscribed: Type.Optional(Dictionary(Dictionary(Type.Object({ automatic: Type.Boolean(), bump_stamp })))),
  unsubscribed: Type.Optional(Dictionary(Dictionary(Type.Object({ bump_stamp })))),
});
export type SubscriptionChanges = Static<typeof SubscriptionChanges>;

const params = Type.Object({
  roomId: Type.String(),
  threadId: Type.String({ description: 'Thread root' }),
});

export const getThreadSubscription = {
  params,
  response: { 200: Type.Object({ automatic: Type.Boolean() }), ...failures },
};
export const putThreadSubscription = {
  params,
  body: Type.Object({
    automatic: Type.Optional(
      Type.String({ description: 'Event in the thread that caused an automatic subscription' }),
    ),
  }),
  response: { 200: EmptyObject, ...failures },
};
export const deleteThreadSubscription = { params, response: { 200: EmptyObject, ...failures } };

export const getThreadSubscriptions = {
  querystring: Type.Object({
    dir: Type.Literal('b'),
    from: Type.Optional(Type.String({ description: '`end` or `prev_batch` of a response' })),
    to: Type.Optional(Type.String({ description: '`pos` of a sliding sync' })),
    limit: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 100 }),
  }),
  response: {
    200: Type.Object({ ...SubscriptionChanges.properties, end: Type.Optional(Type.String()) }),
    ...failures,
  },
};
