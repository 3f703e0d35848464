/** Metrics of the last hour. */
import { type Static, Type } from 'typebox';
import { Dictionary, failures, Nullable, Timestamp } from '../api/common.ts';

/** Interval of points, and their maximum number: one hour. */
export const figuresEverySeconds = 10;
export const figuresKept = 360;

export const FiguresPoint = Type.Object({
  at: Timestamp,
  requests_per_second: Type.Number(),
  p50_ms: Nullable(Type.Number({ description: 'Null without requests' })),
  p99_ms: Nullable(Type.Number()),
  rss_bytes: Type.Integer(),
  heap_bytes: Type.Integer(),
  database_bytes: Nullable(Type.Integer()),
  tasks: Dictionary(Type.Integer()),
  waiting_syncs: Type.Integer(),
  event_loop_delay_ms: Type.Number({ description: '99th percentile' }),
});
export type FiguresPoint = Static<typeof FiguresPoint>;

/** Oldest first. With several processes, only of the one that replies. */
export const Figures = Type.Object({ points: Type.Array(FiguresPoint) });
export type Figures = Static<typeof Figures>;
export const getFigures = {
  querystring: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only points after this time' })),
  }),
  response: { 200: Figures, ...failures },
};
