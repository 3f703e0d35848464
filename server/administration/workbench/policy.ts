import type { Config } from '../../platform/config/config.ts';
import { administrator, type Policy } from '../../platform/http/policy.ts';

/** For administrators at the machine that the server runs on, unless the configuration lets in others. */
export const atWorkbench = ({ workbench }: Pick<Config, 'workbench'>): Policy =>
  workbench === 'anywhere' ? administrator : { ...administrator, from: 'this machine' };
