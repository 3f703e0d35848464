import { Type } from 'typebox';
import { persisted } from '../../persisted.ts';

/** The id of the server that was looked at last; empty where there was none. */
export const rememberedServer = () => persisted('gatehouse.server', Type.String(), '');
