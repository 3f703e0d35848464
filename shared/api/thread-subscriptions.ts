/** Which threads people follow. Matrix proposals 4306 and 4308. */
import { type Static, Type } from 'typebox';
import { Dictionary, EmptyObject, failures } from './common.ts';

const bump_stamp = Type.Integer({ description: 'Of two changes of a thread the later one has the higher' });

/** By room and thread. */
export const SubscriptionChanges = Type.Object({
  subscribed: Type.Optional(Dictionary(Dictionary(Type.Object({ automatic: Type.Boolean(), bump_stamp })))),
  unsubscribed: Type.Optional(Dictionary(Dictionary(Type.Object({ bump_stamp })))),
});
export type SubscriptionChanges = Static<typeof SubscriptionChanges>;

const params = Type.Object({
  roomId: Type.String(),
  threadId: Type.String({ description: 'The event that the thread hangs on' }),
});

export const getThreadSubscription = {
  params,
  response: { 200: Type.Object({ automatic: Type.Boolean() }), ...failures },
};
export const putThreadSubscription = {
  params,
  body: Type.Object({
    automatic: Type.Optional(
      Type.String({ description: 'The event of the thread because of which a client subscribes by itself' }),
    ),
  }),
  response: { 200: EmptyObject, ...failures },
};
export const deleteThreadSubscription = { params, response: { 200: EmptyObject, ...failures } };

export const getThreadSubscriptions = {
  querystring: Type.Object({
    dir: Type.Literal('b'),
    from: Type.Optional(Type.String({ description: '`end` or `prev_batch` of a reply' })),
    to: Type.Optional(Type.String({ description: 'The `pos` of a sliding sync' })),
    limit: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 100 }),
  }),
  response: {
    200: Type.Object({ ...SubscriptionChanges.properties, end: Type.Optional(Type.String()) }),
    ...failures,
  },
};
