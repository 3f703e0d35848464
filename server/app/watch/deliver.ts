/** Ways to deliver alerts: standard output, a room, a webhook, email. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Type } from 'typebox';
import { expectReply } from '../../../shared/connection.ts';
import type { Alert } from './alerts.ts';
import type { WatchedServer } from './watched-server.ts';

/** Delivers alerts of one round as one message. Throws if that fails. */
export type Target = { name: string; deliver(alerts: readonly Alert[]): Promise<void> };

const textOf = (alerts: readonly Alert[]) =>
  alerts.map(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`)].join('\n')).join('\n\n');
const titleOf = (alerts: readonly Alert[]) => alerts.map(({ title }) => title).join(', ');
const idOf = (alerts: readonly Alert[]) => alerts.map(({ id }) => id).join('+');

/** Sends a message to a room that the token's user has joined. A repeated alert is sent once, by its transaction ID. */
export function roomTarget(server: WatchedServer, roomId: string): Target {
  return {
    name: roomId,
    async deliver(alerts) {
      const room = `${server.dialect.chat}/client/v3/rooms/${encodeURIComponent(roomId)}`;
      const path = `${room}/send/m.room.message/${encodeURIComponent(`watch-${idOf(alerts)}`)}`;
      const mentioned = [...new Set(alerts.flatMap(({ mentions = [] }) => mentions))];
      // Text from users must not notify anyone by their name or by @room: only those that moderators mention.
      const mentions = mentioned.length > 0 ? { user_ids: mentioned } : {};
      const body = { msgtype: 'm.text', body: textOf(alerts), 'm.mentions': mentions };
      expectReply(Type.Object({ event_id: Type.String() }), await server.request('PUT', path, body));
    },
  };
}

const timeoutMs = 10_000;

/** Posts JSON. `text` has no user content, because chat services read mentions and markup in it. */
export function webhookTarget(url: string, serverName: string): Target {
  return {
    name: new URL(url).host,
    async deliver(alerts) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          id: idOf(alerts),
          server: serverName,
          text: `${serverName}: ${titleOf(alerts)}`,
          alerts: alerts.map(({ id, isUrgent, title, lines }) => ({ id, urgent: isUrgent, title, lines })),
        }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
    },
  };
}

/** Sends email through this computer's `sendmail`. */
export function mailTarget(address: string, serverName: string, command = 'sendmail'): Target {
  return {
    name: address,
    async deliver(alerts) {
      const mail = spawn(command, ['-i', '--', address], { stdio: ['pipe', 'ignore', 'ignore'] });
      const ended = once(mail, 'exit');
      mail.stdin.on('error', () => {});
      mail.stdin.end(
        `To: ${address}\nSubject: ${serverName}: ${titleOf(alerts)}\nMIME-Version: 1.0\n` +
          `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${textOf(alerts)}\n`,
      );
      const [code] = await ended;
      if (code !== 0) throw new Error(`${command} exited with ${code}`);
    },
  };
}

/** Prints alerts, for the log of the service that runs the watcher. */
export const outputTarget: Target = {
  name: 'standard output',
  async deliver(alerts) {
    process.stdout.write(`${textOf(alerts)}\n`);
  },
};
