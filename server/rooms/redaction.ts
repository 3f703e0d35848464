/** Redacting events: who may. Matrix specification, client-server API, "Redactions". */
import { forbidden, MatrixError, notFound } from '../core/matrix-error.ts';
import type { Database } from '../database/schema.ts';
import type { AuthState, ProposedEvent } from './authorize.ts';
import { findEvent, type StoredEvent } from './event-store.ts';
import { levelsOfRoom } from './power-levels.ts';

/**
 * The event that a redaction is for. Whoever may redact anything may redact what
 * nobody knows, and does nothing by it.
 *
 * @throws MatrixError 403 or 404 where the sender may not redact it; 400 where it is in another room
 */
export async function requireRedactable(
  db: Database,
  roomId: string,
  { sender, content }: Pick<ProposedEvent, 'sender' | 'content'>,
  state: AuthState,
): Promise<StoredEvent | undefined> {
  const create = state('m.room.create', '');
  if (!create) throw forbidden('Unknown room');
  const levels = levelsOfRoom(create, state('m.room.power_levels', '')?.content);
  const mayRedactOthers = levels.ofUser(sender) >= levels.to('redact');

  const target = await findEvent(db, String(content.redacts));
  if (!target) {
    if (mayRedactOthers) return undefined;
    throw notFound(`Could not find event ${content.redacts}`);
  }
  if (target.pdu.room_id !== roomId) {
    throw new MatrixError(400, 'M_UNKNOWN', 'Cannot redact event from a different room');
  }
  if (target.pdu.type === 'm.room.create') throw forbidden('Redacting create events is not permitted');
  if (target.pdu.type === 'm.room.server_acl')
    throw forbidden('Redacting server ACL events is not permitted');
  if (!mayRedactOthers && target.pdu.sender !== sender) {
    throw forbidden("You don't have permission to redact events");
  }
  return target;
}
