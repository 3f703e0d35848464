/** A program that opens the data of a server, as far as it brings it to one state first. */
import { settleData } from '../../../server/administration/backup/pending-change.ts';

await settleData(process.argv[2] ?? '', () => {});
