import { Type } from 'typebox';
import { persisted } from '../persisted.ts';

/**
 * Whether letters, digits and signs do something by themselves. Whoever speaks to their machine, or hits keys
 * by accident, switches it off (WCAG 2.1.4).
 */
export const characterKeys = () => persisted('gatehouse.character-keys', Type.Boolean(), true);

/** @param key as `KeyboardEvent.key` gives it: what is no character has a name of several letters */
export const keyWorks = (key: string) => key.length > 1 || characterKeys().read();
