/** `powerMonitor`: suspend and resume. */
import { LoudEmitter, loud } from './loud.ts';

export const thePowerMonitor = new LoudEmitter('powerMonitor', ['suspend', 'resume']);
export const powerMonitor = loud('powerMonitor', thePowerMonitor);
