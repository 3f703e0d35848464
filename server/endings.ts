/** What features keep of devices and accounts, to go with them. */
import type { Endings } from './accounts/endings.ts';
import { deleteBackups } from './encryption/key-backup-store.ts';
import { deleteTransactionsOfGoneDevices } from './encryption/to-device-store.ts';
import { forgetRules } from './push/change-push-rules.ts';
import { deletePushers, deletePushersOfGoneDevices } from './push/pusher-store.ts';
import { endPresence } from './receipts/presence-store.ts';
import { deletePrivateReceipts } from './receipts/receipt-store.ts';
import { deleteThreadSubscriptions } from './receipts/thread-subscription-store.ts';
import { deleteFilters } from './sync/filter-store.ts';
import { deletePositionsOfGoneDevices } from './sync/sliding-position-store.ts';

/**
 * What others have seen stays: messages, public receipts, uploads, reports, and the keys by which others know whom
 * they talked to. So do the addresses that a user came from, for administrators.
 */
export const endings: Endings = {
  ofDevices: [deleteTransactionsOfGoneDevices, deletePushersOfGoneDevices, deletePositionsOfGoneDevices],
  ofAccounts: [
    deleteBackups,
    deletePushers,
    forgetRules,
    deletePrivateReceipts,
    deleteThreadSubscriptions,
    endPresence,
    deleteFilters,
  ],
};
