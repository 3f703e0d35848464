import { describe, expect, test } from 'vitest';
import { administratorOf } from './homeserver-client.ts';
import { hosts, openScreen, why } from './hosts.ts';

const client = '/_chat/client/v3';
const rooms = '/_service/admin/v1/rooms';

describe.each(hosts)('in $name', (host) => {
  test.skipIf(host.missing)(
    `a console and another tool share the team's room, as it is documented${why(host.missing)}`,
    async () => {
      await using running = await host.start({ sampleData: true });
      const { page } = running;
      const auditor = await administratorOf(running);
      await openScreen(page, 'Reports');
      await page.getByRole('listbox', { name: 'Reports' }).getByRole('option').first().click();
      const history = page.getByRole('region', { name: 'Activity' });
      const add = async (text: string) => {
        await history.getByRole('textbox', { name: 'Note' }).fill(text);
        await history.getByRole('button', { name: 'Add note' }).click();
      };

      await add('Before the room');
      await page.getByRole('button', { name: 'Share with team…' }).click();
      await page.getByRole('checkbox', { name: '@auditor:localhost' }).check();
      await page.getByRole('button', { name: 'Create team room' }).click();
      await page.getByRole('complementary', { name: 'Team room' }).waitFor({ state: 'detached' });
      await add('In the room');

      const alias = encodeURIComponent('#gatehouse-team:localhost');
      const { body: directory } = await auditor.get(`${client}/directory/room/${alias}`);
      const room = encodeURIComponent(directory.room_id);
      const noted = async () => {
        const { body } = await auditor.get(`${rooms}/${room}/messages?dir=f&limit=100`);
        return (body.chunk as { type: string; content: { text?: string } }[])
          .filter(({ type }) => type === 'io.gatehouse.team.note')
          .map(({ content }) => content);
      };
      await expect.poll(noted).toMatchObject([{ text: 'Before the room' }, { text: 'In the room' }]);

      const [first] = (await noted()) as { subject?: { id: number } }[];
      await auditor.post(`${client}/join/${room}`, {});
      const sent = await auditor.put(`${client}/rooms/${room}/send/io.gatehouse.team.action/1`, {
        action: 'audit',
        subject: first?.subject,
        reports: [first?.subject?.id],
        reason: 'A look from outside',
        outcome: 'done',
      });
      expect(sent.status).toBe(200);
      const entry = history.getByRole('listitem').filter({ hasText: 'A look from outside' });
      await entry.waitFor();
      expect(await entry.textContent()).toContain('@auditor');

      // What was shared is there for the next start, too.
      await page.reload();
      for (const text of ['Before the room', 'In the room', 'A look from outside']) {
        await history.getByRole('listitem').filter({ hasText: text }).waitFor();
      }
    },
  );
});
