import type { Config } from '../../platform/config/config.ts';
import { administrator, type Policy } from '../../platform/http/policy.ts';

/** Server admins on the server's computer; from anywhere if `workbench: anywhere` is configured. */
export const atWorkbench = ({ workbench }: Pick<Config, 'workbench'>): Policy =>
  workbench === 'anywhere' ? administrator : { ...administrator, from: 'this machine' };
