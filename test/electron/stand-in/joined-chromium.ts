/** A Chromium that several apps have their windows in. */
import { DevTools } from './devtools.ts';

export type ChromiumProcess = {
  devtools: DevTools;
  endpoint: string;
  /** Which of its contexts is the app's, where others have theirs beside it. */
  browserContextId?: string;
  close(): Promise<void>;
};

/** Joins one that runs already. What the app has open there goes when it ends. */
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
      // One of them may be about to go by itself.
      const closed = own.map(({ targetId }) =>
        devtools.send('Target.closeTarget', { targetId }).catch(() => {}),
      );
      await Promise.all(closed);
      devtools.close();
    },
  };
}
