/**
 * Who is notified of what is appended to a room. Everyone who has the default rules shares one look at them; alone are
 * looked at whose rules are others, and who may be meant by what it says.
 */
import type { JsonObject } from '../../shared/api/common.ts';
import { localpartOf } from '../core/identifiers.ts';
import type { Cache } from '../core/cache.ts';
import { breathe } from '../core/event-loop-turns.ts';
import type { Tx } from '../database/transaction.ts';
import type { CountNotifications } from '../rooms/append-events.ts';
import type { SignedPdu } from '../rooms/event.ts';
import { knownState, type OpenRoom } from '../rooms/open-room.ts';
import { powerOf } from '../rooms/authorize.ts';
import { relationIn } from '../rooms/relations/relation.ts';
import { mainThread, threadOf } from '../receipts/thread-of.ts';
import { eventInRoom } from './conditions.ts';
import { type CompiledRules, compileRules, evaluate, quietRooms, sharedRules } from './evaluate.ts';
import { insertNotifyingEvent, insertOwnNotifications, type OwnNotification } from './notification-store.ts';
import { type Action, isHighlighted, isNotified, noOwnRules } from './push-rule.ts';
import { listChangedRules, listOwnRules } from './push-rule-store.ts';
import { namedIn, peopleOf, type RoomPeople, type RoomPeopleCache } from './room-people.ts';
