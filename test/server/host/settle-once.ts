/** Program that opens a server's data, up to settling a pending change. */
import { settleData } from '../../../server/administration/backup/pending-change.ts';

await settleData(process.argv[2] ?? '', () => {});
