import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

/**
 * How the Chromium that `npm ci` brought is started. Its packaged arguments are made for a sandboxed
 * host without a GPU, which is what a test machine is too.
 */
export async function chromiumLaunchOptions(): Promise<LaunchOptions & { args: string[] }> {
  return {
    executablePath: await sparticuz.executablePath(),
    args: [
      ...sparticuz.args,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
    headless: true,
  };
}

export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await chromiumLaunchOptions());
}
