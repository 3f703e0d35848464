import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from './app.ts';
import { shellAlone } from './build.ts';

let app: App;
beforeAll(async () => {
  app = await startApp({ dist: shellAlone });
});
afterAll(() => app?.dispose());

/** Downloads a file as the console does. Resolves when the app has received it. */
async function giveFile(name: string): Promise<string[]> {
  await app.page.evaluate((download) => {
    const href = URL.createObjectURL(new Blob(['text']));
    Object.assign(document.createElement('a'), { href, download }).click();
  }, name);
  return app.command('openDownloads');
}

test("a page can't flood the user with save dialogs", async () => {
  await expect.poll(() => giveFile('first.txt')).toEqual(['first.txt']);
  for (const name of ['second.txt', 'third.txt']) await giveFile(name);
  // The prompt limit is shared with other dialogs.
  const asked = await app.invoke('open-external', { url: 'https://example.org/' });
  expect(asked).toMatchObject({ ok: false, failure: { code: 'refused' } });
  expect(await app.command('openDownloads')).toEqual(['first.txt']);
  await app.command('answerDownload', { saves: true });

  for (let times = 0; times < 6; times++) {
    await expect.poll(() => giveFile(`no ${times}.txt`)).toHaveLength(1);
    await app.command('answerDownload', { saves: false });
  }
  await giveFile('last.txt');
  const refused = await app.invoke('open-external', { url: 'https://example.org/' });
  expect(refused).toMatchObject({
    ok: false,
    failure: { sentence: expect.stringContaining('You declined') },
  });
  expect(await app.command('openDownloads')).toEqual([]);
});
