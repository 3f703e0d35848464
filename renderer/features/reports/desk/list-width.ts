import { Type } from 'typebox';
import { persisted } from '../../../persisted.ts';

/** In CSS pixels; where there is less room for it, the list is narrower. */
export const listWidth = () => persisted('gatehouse.reports.width', Type.Number(), 410);
export const narrowestList = 260;

/** Of the window, and never less than it is. */
export const widestList = (width: number) => Math.max(width, Math.round(window.innerWidth * 0.6));
