/** The messages together with the words that they have to themselves. */
import { administrationWords } from '../../../words/administration/load.ts';

const messages = import('./RoomMessages.tsx');
await administrationWords();
export default (await messages).default;
