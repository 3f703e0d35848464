import type { Config } from '../config/config.ts';
import { administrator, type Policy } from '../http/policy.ts';

/** For administrators at the machine that the server runs on, unless the configuration lets in others. */
export const atWorkbench = ({ workbench }: Pick<Config, 'workbench'>): Policy =>
  workbench === 'anywhere' ? administrator : { ...administrator, from: 'this machine' };
