/** A program that opens the data of a server, as far as it brings it to one state first. */
import { settleData } from '../../../server/administration/host/settle-data.ts';

await settleData(process.argv[2] ?? '', () => {});
