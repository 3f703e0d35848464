/** A client from another code base that's common for bots. Debian packages it as `python3-matrix-nio`. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createUser } from '../../server/identity/accounts/create-user.ts';
import { startHomeserver } from '../server/homeserver.ts';
import { makeRoom, say } from '../server/rooms/client.ts';

const python = '/usr/bin/python3';
const session = fileURLToPath(new URL('nio_session.py', import.meta.url));
const isInstalled = spawnSync(python, ['-c', 'import nio']).status === 0;

test.skipIf(!isInstalled)(
  `matrix-nio signs in, joins, sends, reads and signs out${isInstalled ? '' : ' (skipped: python3-matrix-nio is not installed)'}`,
  async () => {
    const homeserver = await startHomeserver();
    await createUser(homeserver.services, { localpart: 'robot', password: 'secret' });
    const alice = homeserver.as('alice');
    const roomId = await makeRoom(alice, { name: 'Workshop', invite: ['@robot:localhost'] });
    await say(alice, roomId, 'Hello robot');
    const { stdout } = await promisify(execFile)(python, [
      session,
      homeserver.url,
      '@robot:localhost',
      roomId,
    ]);
    const seen = JSON.parse(stdout);
    expect(seen).toMatchObject({
      user: '@robot:localhost',
      invited: [roomId],
      room: 'Workshop',
      members: ['@alice:localhost', '@robot:localhost'],
      devices: ['Bot'],
    });
    expect(seen.messages).toEqual(['Hello robot', 'Beep']);
    expect(seen.history).toBeGreaterThan(3);
    await homeserver.remove();
  },
);
