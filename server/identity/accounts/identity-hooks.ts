/** Hooks of other features into changes of identity data. */
import type { Tx } from '../../platform/database/transaction.ts';
import type { AccountDataKey } from '../account-data/account-data-store.ts';

/**
 * Calls into features that identity can't import; `app/services.ts` implements them. Data that belongs to a device by
 * foreign key needs no hook.
 */
export type IdentityHooks = {
  /** Deletes the data of devices that the user no longer has. */
  devicesDeleted(tx: Tx, userId: string): Promise<void>;
  /** Deletes the data of an account whose devices are deleted. */
  accountDeactivated(tx: Tx, userId: string): Promise<void>;
  accountDataChanged(tx: Tx, key: AccountDataKey): Promise<void>;
  /** Called after the commit. */
  profileChanged(userId: string): Promise<void>;
};

export type HookContext = { hooks: IdentityHooks };
