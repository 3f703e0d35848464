/**
 * `npm run screenshots [-- PART-OF-A-NAME]`: takes every screen in every state, light and dark, at three widths, into
 * screenshots/. Compare them by eye: fonts differ between machines.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildWhatIsMissing, projectRoot } from '../electron/launch/build.ts';
import { launchChromium } from './chromium.ts';
import { startSampleHomeserver } from './renderer/sample-homeserver.ts';
import { reachState, type ScreenState, screenStates } from './renderer/screens.ts';

const sizes = [
  [720, 800],
  [1440, 900],
  [2560, 1440],
] as const;
const schemes = ['light', 'dark'] as const;
const folder = join(projectRoot, 'screenshots');
const [part = ''] = process.argv.slice(2);

const say = (line: string) => process.stdout.write(`${line}\n`);
buildWhatIsMissing(say);
mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
const servers = {
  none: await startSampleHomeserver({ reports: 0 }),
  much: await startSampleHomeserver({ reports: 2_000 }),
};
try {
  for (const state of screenStates.filter(({ name }) => name.includes(part))) await take(state);
  say(`in ${folder}`);
} finally {
  await browser.close();
  await servers.none.stop();
  await servers.much.stop();
}

/** Opens a page per width, since overlays keep the position for their original width. */
async function take(state: ScreenState): Promise<void> {
  for (const [width, height] of sizes) {
    const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const name = state.name.replaceAll(/[^a-z]+/g, '-');
    try {
      await reachState(page, servers[state.data ?? 'much'], state);
      // Waits for late content. A silent server sends none, and a stream never ends.
      if (!state.server) await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {});
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      }
    } catch (error) {
      process.exitCode = 1;
      say(`${state.name} at ${width}: ${error instanceof Error ? error.message : error}`);
    }
    await context.close();
  }
  say(state.name);
}
