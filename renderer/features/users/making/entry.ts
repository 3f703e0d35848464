/** The dialog together with the words that it has to itself. */
import { administrationWords } from '../../../words/administration/load.ts';

const dialog = import('./NewUser.tsx');
await administrationWords();
export default (await dialog).NewUser;
