/** What the server does beside its requests: each task, and what brings older data up to date. */
import { populateUserWords } from './accounts/populate-user-words.ts';
import { purgeHistory } from './room-administration/purge-history-task.ts';
import { redactAllEvents } from './room-administration/redact-all-events-task.ts';
import {
  type ShutdownContext,
  shutdownAndPurgeRoom,
} from './room-administration/shutdown-and-purge-room-task.ts';
import { leaveAllRooms } from './rooms/leave-all-rooms-task.ts';
import { populateRoomSummaries } from './rooms/populate-room-summaries.ts';
import { populateRelations } from './rooms/relations/populate-relations.ts';
import { updateJoinStates } from './rooms/update-join-states-task.ts';
import { populateSearch } from './search/index-events.ts';
import type { BackgroundUpdate } from './tasks/background-updates.ts';

/** The tasks of every feature. */
export const taskActions = (context: ShutdownContext) => [
  purgeHistory,
  shutdownAndPurgeRoom(context),
  redactAllEvents(context),
  leaveAllRooms(context),
  updateJoinStates(context),
];

/** By the names under which migrations order them. */
export const backgroundUpdates: ReadonlyMap<string, BackgroundUpdate> = new Map([
  ['populate_room_summaries', populateRoomSummaries],
  ['populate_relations', populateRelations],
  ['populate_search', populateSearch],
  ['populate_user_words', populateUserWords],
]);
