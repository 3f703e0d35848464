import { mkdirSync } from 'node:fs';
import { launchChromium } from './chromium.ts';
import { startSampleHomeserver } from './renderer/sample-homeserver.ts';
import { reachState, screenStates } from './renderer/screens.ts';
const wanted = new RegExp(`^(${process.argv[2]})$`);
const folder = '/tmp/admin-pics'; mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
const much = await startSampleHomeserver({ reports: 300 });
for (const state of screenStates.filter(({ name }) => wanted.test(name))) for (const [width, height] of [[720,800],[1440,900],[2560,1440]]) {
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' });
  const page = await context.newPage(); page.setDefaultTimeout(20000);
  try { await reachState(page, much, state); await page.waitForLoadState('networkidle');
    for (const colorScheme of width === 1440 ? ['light','dark'] : ['light']) { await page.emulateMedia({ colorScheme }); await page.screenshot({ path: `${folder}/${state.name.replaceAll(/[^a-z]+/g,'-')}-${width}-${colorScheme}.png` }); }
  } catch (e) { console.log(state.name, width, String(e).slice(0,300)); }
  await context.close();
}
await browser.close(); await much.stop(); console.log('done'); process.exit(0);
