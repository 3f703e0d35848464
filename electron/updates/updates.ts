/**
 * Updates from the feed that the package names. The person is told before anything is downloaded; what came is
 * checked, and put in place when the app quits, unless the local homeserver is, or may be, at work on something then.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import compare from 'semver/functions/compare.js';
import type { Kept } from '../kept-json.ts';
import { log } from '../log.ts';
import { portableProgram } from '../program.ts';
import { isQuitting } from '../quit.ts';
import { say } from '../words.ts';
import { appImage, isReplaceable, putInPlace, requireSum, stampOf } from './app-image.ts';
import { type Bounds, boundReplies, ReplyTooLarge, type Requester } from './bounded-replies.ts';
import * as squirrel from './squirrel.ts';
import {
  type Answer,
  type HeldBack,
  isAgreedTo,
  notDownloaded,
  notReplaceable,
  readyAtQuit,
  tell,
  whatGoesOn,
} from './update-dialogs.ts';
import {
  announcedBytes,
  believeSigned,
  type FeedReader,
  mostFeedBytes,
  updateKeyFile,
} from './update-feed.ts';

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
  return portableProgram() === undefined;
}

/** A look at the feed; `isWanted` by a person, who waits for an answer. */
type Look = {
  isWanted: boolean;
  asksAbout?: string | undefined;
  downloads?: string | undefined;
  /** What was there to be put in place, and isn't any more, whatever comes of the download. */
  givesUp?: string | undefined;
};

/** What is there to be put in place: where it is, and the sum that it has. */
type Downloaded = { version: string; path: string; sha512: string };

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
  // An AppImage is replaced here, and a Mac's app by Squirrel.
  const isItsOwn = process.platform === 'win32';
  updater.autoInstallOnAppQuit = isItsOwn;
  // Who waits for it hears of it; without a listener it would be thrown where nobody is.
  updater.on('error', (error) => log.warn('updates: updater failed:', error));

  let bounds: Bounds;
  const allow = (mostBytes: number, takesMs: number) => {
    bounds = { mostBytes, requestsLeft: mostRequests, endsAt: performance.now() + takesMs };
  };
  allow(mostFeedBytes, feedTakesMs);
  const executor = executorOf(updater);
  boundReplies(executor, () => bounds);
  believeSigned(executor, () => readFileSync(join(process.resourcesPath, updateKeyFile)));

  const { version: meant } = heldBack.read();
  // It is in place: who goes back to an older one is not told that it could not be.
  if (meant !== undefined && compare(meant, app.getVersion()) <= 0) heldBack.write({});

  const image = appImage();
  // Who puts another one there while the app runs, perhaps a newer one, wants that.
  const stamp = image === undefined ? '' : stampOf(image);
  let underWay: Look | undefined;
  const declined = new Set<string>();
  let downloaded: Downloaded | undefined;
  /** Decided when the app ends. */
  let toPutInPlace: Downloaded | undefined;

  /** One at a time: who asks meanwhile is answered by the one that is under way. */
  async function check(isWanted: boolean): Promise<void> {
    if (isQuitting()) return;
    if (underWay) {
      underWay.isWanted ||= isWanted;
      const answer = whatGoesOn(underWay);
      if (isWanted && answer) await tell(answer);
      return;
    }
    const look: Look = { isWanted };
    underWay = look;
    const answer = await follow(look).catch((error) => faultOf(look, error));
    // What is told may stay on the screen for days, and holds no other look up.
    underWay = undefined;
    if (answer && !isQuitting()) await tell(answer);
  }

  async function follow(look: Look): Promise<Answer | undefined> {
    allow(mostFeedBytes, feedTakesMs);
    const found = await updater.checkForUpdates();
    const size = announcedBytes(found?.updateInfo);
    if (!found?.isUpdateAvailable) {
      return look.isWanted ? { type: 'info', message: say(/*i18n*/ 'Gatehouse is up to date.') } : undefined;
    }
    const { version, files } = found.updateInfo;
    if (downloaded && compare(version, downloaded.version) <= 0) {
      return look.isWanted ? readyAtQuit(downloaded.version) : undefined;
    }
    if (!look.isWanted && declined.has(version)) return undefined;
    if (!(await canBePutInPlace())) {
      log.warn(`updates: can't install ${version}: the app's file or folder is read-only`);
      const known = heldBack.read();
      if (!look.isWanted && known.told === version) return undefined;
      heldBack.write({ ...known, told: version });
      return notReplaceable(version);
    }
    look.asksAbout = version;
    const isAgreed = await isAgreedTo(version, heldBack.read());
    look.asksAbout = undefined;
    if (isQuitting()) return undefined;
    // They have read it; why it is not in place when they quit the next time may be another reason.
    const { told } = heldBack.read();
    heldBack.write(told === undefined ? {} : { told });
    if (!isAgreed) {
      declined.add(version);
      return undefined;
    }
    look.downloads = version;
    allow(size, feedTakesMs + size / slowestRate);
    look.givesUp = downloaded?.version;
    downloaded = undefined;
    const [path = ''] = await updater.downloadUpdate();
    if (isQuitting()) return undefined;
    const file = files.find(({ url }) => url === basename(path));
    if (!file) throw new Error('The name of the downloaded file differs from the feed');
    downloaded = { version, path, sha512: file.sha512 };
    return readyAtQuit(version);
  }

  function faultOf({ downloads, givesUp, isWanted }: Look, error: unknown): Answer | undefined {
    log.warn(downloads === undefined ? 'updates: check failed:' : 'updates: download failed:', error);
    if (downloads !== undefined) {
      const isAnother = isChecksumFault(error) || error instanceof ReplyTooLarge;
      return notDownloaded(isAnother, givesUp);
    }
    return isWanted
      ? {
          type: 'error',
          message: say(/*i18n*/ "Couldn't check for updates. See the log for details."),
        }
      : undefined;
  }

  const regularly = () => void check(false);
  setInterval(regularly, betweenChecksMs).unref();
  regularly();
  return {
    check: () => check(true),
    mayInstall(may) {
      toPutInPlace = may ? downloaded : undefined;
      updater.autoInstallOnAppQuit = isItsOwn && toPutInPlace !== undefined;
      const { givesUp, downloads } = underWay ?? {};
      // Whatever ends the app while it is put in place, or the installer after that: unless the new one runs then, it failed.
      if (downloaded) heldBack.write({ version: downloaded.version, ...(may && { failed: true }) });
      else if (givesUp !== undefined) {
        log.warn(
          `updates: ${givesUp} wasn't installed: replaced by ${downloads}, whose download was incomplete at quit`,
        );
        heldBack.write({ version: givesUp, failed: true });
      }
    },
    installs: () => toPutInPlace !== undefined,
    async prepare() {
      if (!toPutInPlace) return;
      const { version, path, sha512 } = toPutInPlace;
      try {
        if (squirrel.isThere()) await squirrel.handOver();
        else if (image) await putInPlace(path, sha512, image, stamp);
        else await requireSum(path, sha512);
      } catch (error) {
        log.error(`updates: couldn't install ${version}:`, error);
        toPutInPlace = undefined;
        updater.autoInstallOnAppQuit = false;
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
