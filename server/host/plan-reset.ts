import type { ResetServer } from '../../shared/workbench/host.ts';
import { randomSecret } from '../core/secrets.ts';

/** Where a reset is going to leave the data, and by which token one gets in afterwards. */
export const planReset = (dataDir: string): ResetServer => ({
  kept_at: `${dataDir}-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`,
  login_token: randomSecret(),
});
