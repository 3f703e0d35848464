import type { Tx } from '../database/transaction.ts';
import type { Network } from './public-room-store.ts';

/** Lists a room in the directory of a network, or takes it out of it. */
export async function setAppServiceRoom(
  tx: Tx,
  { appServiceId, networkId }: Network,
  roomId: string,
  isListed: boolean,
): Promise<void> {
  const row = { app_service_id: appServiceId, network_id: networkId, room_id: roomId };
  if (isListed) {
    await tx
      .insertInto('app_service_rooms')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await tx
      .deleteFrom('app_service_rooms')
      .where('app_service_id', '=', appServiceId)
      .where('network_id', '=', networkId)
      .where('room_id', '=', roomId)
      .execute();
  }
}
