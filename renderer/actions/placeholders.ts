import type { Connection } from '../../shared/connection.ts';

export type Filling = { user: string; server: Pick<Connection, 'userId'>; reason: string };

/** What stands for something else in a template. */
export const placeholders = ['{user}', '{reason}', '{server}', '{moderator}'] as const;

/** A template as one recipient gets it. What it names and isn't known stays empty. */
export function filled(template: string, { user, server, reason }: Filling): string {
  const values: Record<string, string> = {
    user,
    reason,
    server: server.userId.slice(server.userId.indexOf(':') + 1),
    moderator: server.userId,
  };
  return template.replaceAll(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
