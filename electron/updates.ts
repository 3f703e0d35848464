/**
 * Updates from the feed that the package names. The person is told before anything is downloaded; what came is
 * checked, and put in place when the app quits, unless the local homeserver is, or may be, at work on something then.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import compare from 'semver/functions/compare.js';
import { appImage, isReplaceable, putInPlace } from './app-image.ts';
import { type Bounds, boundReplies, ReplyTooLarge, type Requester } from './bounded-replies.ts';
import type { Kept } from './kept-json.ts';
import { log } from './log.ts';
import * as squirrel from './squirrel.ts';
import { type HeldBack, isAgreedTo, sayWhatGoesOn, tell, tellNotReplaceable } from './update-dialogs.ts';
import {
  announcedBytes,
  believeSigned,
  type FeedReader,
  mostFeedBytes,
  updateKeyFile,
} from './update-feed.ts';
import { say } from './words.ts';

const betweenChecksMs = 6 * 60 * 60_000;

export type Updates = {
  /** Asks the feed because the person wants to know, and so says what came of it in any case. */
  check(): Promise<void>;
  /** Called before the app ends: whether what was downloaded may be put in place then. */
  mayInstall(may: boolean): void;
  /** Whether something is put in place when the app ends now. */
  installs(): boolean;
  /** Called last before the app ends, for what has to be done then for that. */
  prepare(): Promise<void>;
};

/** Undefined where somebody else looks after updates, or nobody does. */
export async function followUpdates(heldBack: Kept<HeldBack>): Promise<Updates | undefined> {
  if (!isOurs()) return undefined;
  // It takes a while to load, and most starts have no need of it.
  const { autoUpdater } = await import('electron-updater');
  return offering(autoUpdater, heldBack);
}

/**
 * Not while developing, not without a feed, and not where a package manager installed the app: on Linux an AppImage
 * alone is a file of the person's own. A portable program for Windows is replaced by hand.
 */
function isOurs(): boolean {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return false;
  if (process.platform === 'linux') return appImage() !== undefined;
  return process.env.PORTABLE_EXECUTABLE_FILE === undefined;
}

/** A look at the feed; `isWanted` by a person, who waits for an answer. */
type Look = { isWanted: boolean; asksAbout?: string | undefined; downloads?: string | undefined };

/** What is there to be put in place: where it is, and the sums that it may have. */
type Downloaded = { version: string; path: string; sums: readonly string[] };

const mostRequests = 10;
const feedTakesMs = 60_000;
/** In bytes a millisecond: a package that comes slower would never be there. */
const slowestRate = 8;

function offering(updater: AppUpdater, heldBack: Kept<HeldBack>): Updates {
  updater.logger = log;
  updater.autoDownload = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  // It would unpack what the feed says of a package's parts, however much that becomes.
  updater.disableDifferentialDownload = true;
  let installsAtQuit = true;
  // An AppImage is replaced here, and a Mac's app by Squirrel.
  const isItsOwn = process.platform === 'win32';
  updater.autoInstallOnAppQuit = isItsOwn;
  // Who waits for it hears of it; without a listener it would be thrown where nobody is.
  updater.on('error', (error) => log.warn('Updates:', error));

  let bounds: Bounds;
  const allow = (mostBytes: number, takesMs: number) => {
    bounds = { mostBytes, requestsLeft: mostRequests, endsAt: performance.now() + takesMs };
  };
  allow(mostFeedBytes, feedTakesMs);
  const executor = executorOf(updater);
  boundReplies(executor, () => bounds);
  believeSigned(executor, () => readFileSync(join(process.resourcesPath, updateKeyFile)));

  let underWay: Look | undefined;
  const declined = new Set<string>();
  let downloaded: Downloaded | undefined;

  /** One at a time: who asks meanwhile is answered by the one that is under way. */
  async function check(isWanted: boolean): Promise<void> {
    if (underWay) {
      underWay.isWanted ||= isWanted;
      if (isWanted) await sayWhatGoesOn(underWay);
      return;
    }
    const look: Look = { isWanted };
    underWay = look;
    try {
      await follow(look);
    } catch (error) {
      log.warn('Updates:', error);
      if (isChecksumFault(error) || (look.downloads !== undefined && error instanceof ReplyTooLarge)) {
        await tell(
          'error',
          say(/*i18n*/ 'What was downloaded is not what was announced, so it is not installed.'),
        );
      } else if (look.downloads !== undefined) {
        await tell('error', say(/*i18n*/ 'The new version could not be downloaded. The log says why.'));
      } else if (look.isWanted) {
        await tell(
          'error',
          say(/*i18n*/ 'Whether there is a newer version could not be found out. The log says why.'),
        );
      }
    } finally {
      underWay = undefined;
    }
  }

  async function follow(look: Look): Promise<void> {
    allow(mostFeedBytes, feedTakesMs);
    const found = await updater.checkForUpdates();
    const size = announcedBytes(found?.updateInfo);
    if (!found?.isUpdateAvailable) {
      if (look.isWanted) await tell('info', say(/*i18n*/ 'This is the newest version of Gatehouse.'));
      return;
    }
    const { version, files } = found.updateInfo;
    if (!downloaded || compare(version, downloaded.version) > 0) {
      if (!look.isWanted && declined.has(version)) return;
      if (!(await canBePutInPlace())) {
        log.warn(`Updates: ${version} could not be put in place where this app is`);
        if (look.isWanted) await tellNotReplaceable(version);
        return;
      }
      look.asksAbout = version;
      const isAgreed = await isAgreedTo(version, heldBack.read());
      look.asksAbout = undefined;
      if (!isAgreed) {
        declined.add(version);
        return;
      }
      look.downloads = version;
      allow(size, feedTakesMs + size / slowestRate);
      // To download another one does away with what is there, whatever comes of it.
      downloaded = undefined;
      const [path] = await updater.downloadUpdate();
      if (path === undefined) throw new Error('Nothing was downloaded');
      look.downloads = undefined;
      downloaded = { version, path, sums: files.map(({ sha512 }) => sha512) };
    } else if (!look.isWanted) return;
    await tell(
      'info',
      say(/*i18n*/ 'Gatehouse {version} is put in place when you quit.', { version: downloaded.version }),
    );
  }

  const installs = () => downloaded !== undefined && installsAtQuit;
  const regularly = () => void check(false);
  setInterval(regularly, betweenChecksMs).unref();
  regularly();
  return {
    check: () => check(true),
    mayInstall(may) {
      installsAtQuit = may;
      updater.autoInstallOnAppQuit = isItsOwn && installs();
      if (downloaded) heldBack.write(may ? {} : { version: downloaded.version });
    },
    installs,
    async prepare() {
      if (!downloaded || !installs()) return;
      if (squirrel.isThere()) await squirrel.handOver();
      const file = appImage();
      if (!file) return;
      const { version, path, sums } = downloaded;
      try {
        await putInPlace(path, sums, file);
      } catch (error) {
        log.error(`${version} was not put in place:`, error);
        heldBack.write({ version, failed: true });
        downloaded = undefined;
      }
    },
  };
}

/** Elsewhere than on Linux the system's own installer asks for the right to. */
async function canBePutInPlace(): Promise<boolean> {
  const file = appImage();
  return file === undefined || isReplaceable(file);
}

/** What electron-updater sends all its requests with, and doesn't name in its types. */
function executorOf(updater: AppUpdater): Requester & FeedReader {
  const executor: (Requester & FeedReader) | undefined = Reflect.get(updater, 'httpExecutor');
  if (!executor?.createRequest || !executor.request) {
    throw new Error('electron-updater makes requests in another way');
  }
  return executor;
}

const isChecksumFault = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH';
