/** Which relations may be sent; what isn't allowed is refused as the reference homeserver refuses it. */
import { MatrixError } from '../../core/matrix-error.ts';
import type { Database } from '../../database/schema.ts';
import { findEvent } from '../event-store.ts';
import type { Relation } from './relation.ts';
import { hasAnnotation, isRelated } from './relation-store.ts';

/** The longest text of an annotation, in characters. */
const maximumKey = 500;

/**
 * Whether an event may be about another one. Ask while the room is held: of two that say the same, one comes first.
 *
 * @throws MatrixError 400 for an event that isn't there, a thread in a thread, and a reaction that was sent already
 */
export async function requireRelation(
  db: Database,
  roomId: string,
  { type, sender }: { type: string; sender: string },
  { parentId, relType, key }: Relation,
): Promise<void> {
  const parent = await findEvent(db, parentId);
  if (!parent || parent.purged) throw unknown("Can't send relation to unknown event");
  if (parent.pdu.room_id !== roomId) throw unknown('Relations must be in the same room');
  if (relType === 'm.annotation') {
    if (key === null) throw unknown('Missing aggregation key');
    if (key.length > maximumKey) throw unknown('Aggregation key is too long');
    if (key.includes('\0')) throw unknown('Invalid aggregation key');
    if (await hasAnnotation(db, { parentId, type, sender, key })) {
      throw new MatrixError(400, 'M_DUPLICATE_ANNOTATION', "Can't send same reaction twice");
    }
  }
  if (relType === 'm.thread' && (await isRelated(db, parentId))) {
    throw unknown('Cannot start threads from an event with a relation');
  }
}

const unknown = (sentence: string) => new MatrixError(400, 'M_UNKNOWN', sentence);
