/** A Chromium shared by several apps. */
import { DevTools } from './devtools.ts';

export type ChromiumProcess = {
  devtools: DevTools;
  endpoint: string;
  /** The app's browser context, if several apps share the Chromium. */
  browserContextId?: string;
  close(): Promise<void>;
};

/** Connects to a running Chromium. Closing it closes only the app's pages. */
export async function joinChromium(endpoint: string, browserContextId: string): Promise<ChromiumProcess> {
  const devtools = await DevTools.connect(endpoint);
  return {
    devtools,
    endpoint,
    browserContextId,
    async close() {
      type Target = { targetId: string; browserContextId?: string };
      const { targetInfos }: { targetInfos: Target[] } = await devtools.send('Target.getTargets');
      const own = targetInfos.filter((target) => target.browserContextId === browserContextId);
      // A page may already be closing.
      const closed = own.map(({ targetId }) =>
        devtools.send('Target.closeTarget', { targetId }).catch(() => {}),
      );
      await Promise.all(closed);
      devtools.close();
    },
  };
}
