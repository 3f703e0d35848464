/** The policy lists that the team watches. Their rules stay in their rooms. */
import { Type } from 'typebox';
import { fits } from '../../shared/fits.ts';
import type { Server } from '../transport/server.ts';
import type { Team } from './team.ts';
import { teamOf } from './team-store.ts';

/** Kind of the documents, whose keys are room IDs. */
export const policyListKind = 'policy-list';

const PolicyListContent = Type.Object({
  /** The room's name when it was added. */
  name: Type.String({ minLength: 1, maxLength: 255 }),
  /** The team publishes its own rules in it. */
  publish: Type.Optional(Type.Boolean()),
});

export type WatchedList = { roomId: string; name: string; publish: boolean; by: string; at: number };

/** Returns the watched lists by name. */
export const watchedLists = (documents: ReturnType<Team['documents']>): WatchedList[] =>
  [...documents]
    .flatMap(([roomId, { content, by, at }]) =>
      fits(PolicyListContent, content)
        ? [{ roomId, name: content.name, publish: content.publish === true, by, at }]
        : [],
    )
    .toSorted((one, other) => one.name.localeCompare(other.name));

/** Returns the lists that the team publishes rules in. */
export const ownLists = (server: Server): WatchedList[] =>
  watchedLists(teamOf(server).snapshot().documents(policyListKind)).filter(({ publish }) => publish);
