/**
 * Updates from the package's feed. Asks before downloading, verifies the download, and installs it at quit, unless
 * the local homeserver is or may be busy.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { app } from 'electron';
import type { AppUpdater } from 'electron-updater';
import compare from 'semver/functions/compare.js';
import type { JsonFile } from '../json-file.ts';
import { log } from '../log.ts';
import { portableProgram } from '../program.ts';
import { isQuitting } from '../quit.ts';
import { say } from '../words.ts';
import { appImage, isReplaceable, putInPlace, requireSum, stampOf } from './app-image.ts';
import { type Bounds, boundReplies, ReplyTooLarge, type Requester } from './bounded-replies.ts';
import * as squirrel from './squirrel.ts';
import {
  type Answer,
  describeActivity,
  type HeldBack,
  isAgreedTo,
  notDownloaded,
  notReplaceable,
  readyAtQuit,
  showAnswer,
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
  /** Checks on the user's request and always reports the result. */
  check(): Promise<void>;
  /** Called before the app exits: whether the download may be installed. */
  mayInstall(may: boolean): void;
  /** Whether an update will be installed at exit. */
  installs(): boolean;
  /** Called last before the app exits, to prepare the installation. */
  prepare(): Promise<void>;
};

/** Undefined if a package manager or no one handles updates. */
export async function followUpdates(heldBack: JsonFile<HeldBack>): Promise<Updates | undefined> {
  if (!isOurs()) return undefined;
  // Loaded when needed, because it is slow.
  const { autoUpdater } = await import('electron-updater');
  return offering(autoUpdater, heldBack);
}

/**
 * Not in development, without a feed, or if installed by a package manager: on Linux only an AppImage belongs to the
 * user. Users replace a portable Windows app themselves.
 */
function isOurs(): boolean {
  if (!app.isPackaged || !existsSync(join(process.resourcesPath, 'app-update.yml'))) return false;
  if (process.platform === 'linux') return appImage() !== undefined;
  return portableProgram() === undefined;
}

/** A check; `isWanted` if a user waits for the result. */
type UpdateCheck = {
  isManual: boolean;
  asksAbout?: string | undefined;
  downloads?: string | undefined;
  /** A previous download that the new one replaces, even if that fails. */
  givesUp?: string | undefined;
};

/** The download to install: its path and checksum. */
type Downloaded = { version: string; path: string; sha512: string };

const mostRequests = 10;
const feedTakesMs = 60_000;
/** In bytes per millisecond: slower downloads would never finish. */
const slowestRate = 8;

function offering(updater: AppUpdater, heldBack: JsonFile<HeldBack>): Updates {
  updater.logger = log;
  updater.autoDownload = false;
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
  // Differential downloads unpack block maps from the feed without a size limit.
  updater.disableDifferentialDownload = true;
  // AppImages are replaced here, and on macOS Squirrel installs.
  const isItsOwn = process.platform === 'win32';
  updater.autoInstallOnAppQuit = isItsOwn;
  // Its callers handle the error; without a listener the event would throw.
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
  // It is installed: going back to an older version isn't a failure.
  if (meant !== undefined && compare(meant, app.getVersion()) <= 0) heldBack.write({});

  const image = appImage();
  // The user replaced the app while it was running, so that file stays.
  const stamp = image === undefined ? '' : stampOf(image);
  let underWay: UpdateCheck | undefined;
  const declined = new Set<string>();
  let downloaded: Downloaded | undefined;
  /** Decided at exit. */
  let toPutInPlace: Downloaded | undefined;

  /** One check at a time: concurrent callers get the same result. */
  async function check(isManual: boolean): Promise<void> {
    if (isQuitting()) return;
    if (underWay) {
      underWay.isManual ||= isManual;
      const answer = describeActivity(underWay);
      if (isManual && answer) await showAnswer(answer);
      return;
    }
    const look: UpdateCheck = { isManual };
    underWay = look;
    const answer = await follow(look).catch((error) => faultOf(look, error));
    // A dialog may stay open for days and must not block further checks.
    underWay = undefined;
    if (answer && !isQuitting()) await showAnswer(answer);
  }

  async function follow(look: UpdateCheck): Promise<Answer | undefined> {
    allow(mostFeedBytes, feedTakesMs);
    const found = await updater.checkForUpdates();
    const size = announcedBytes(found?.updateInfo);
    if (!found?.isUpdateAvailable) {
      return look.isManual ? { type: 'info', message: say(/*i18n*/ 'Gatehouse is up to date.') } : undefined;
    }
    const { version, files } = found.updateInfo;
    if (downloaded && compare(version, downloaded.version) <= 0) {
      return look.isManual ? readyAtQuit(downloaded.version) : undefined;
    }
    if (!look.isManual && declined.has(version)) return undefined;
    if (!(await canBePutInPlace())) {
      log.warn(`updates: can't install ${version}: the app's file or folder is read-only`);
      const known = heldBack.read();
      if (!look.isManual && known.told === version) return undefined;
      heldBack.write({ ...known, told: version });
      return notReplaceable(version);
    }
    look.asksAbout = version;
    const isAgreed = await isAgreedTo(version, heldBack.read());
    look.asksAbout = undefined;
    if (isQuitting()) return undefined;
    // It has been reported; the next quit may fail for another reason.
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

  function faultOf({ downloads, givesUp, isManual }: UpdateCheck, error: unknown): Answer | undefined {
    log.warn(downloads === undefined ? 'updates: check failed:' : 'updates: download failed:', error);
    if (downloads !== undefined) {
      const isAnother = isChecksumFault(error) || error instanceof ReplyTooLarge;
      return notDownloaded(isAnother, givesUp);
    }
    return isManual
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
      // Recorded before the installation: unless the new version runs at the next start, it failed.
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

/** Outside of Linux, the system's installer asks for permission. */
async function canBePutInPlace(): Promise<boolean> {
  const file = appImage();
  return file === undefined || isReplaceable(file);
}

/** electron-updater's HTTP executor, which isn't in its types. */
function executorOf(updater: AppUpdater): Requester & FeedReader {
  const executor: (Requester & FeedReader) | undefined = Reflect.get(updater, 'httpExecutor');
  if (!executor?.createRequest || !executor.request) {
    throw new Error('electron-updater makes requests in another way');
  }
  return executor;
}

const isChecksumFault = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_CHECKSUM_MISMATCH';
