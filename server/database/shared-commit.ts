/**
 * One commit for all transactions that are ready at the same time. What a commit costs is the wait for the disk,
 * and that is the same for one of them and for fifty. One after the other they change what they change, each so
 * that it can be undone by itself, and each is told that it is through when the commit of all is on the disk.
 */
import { DatabaseFault } from './fault.ts';
import { createGate } from './gate.ts';

/** How long someone waits for what others of this process write, in milliseconds. */
const patience = 60_000;
/** How old a batch may become before nobody joins it any more, in milliseconds: the first one waits for the last. */
const maximumAge = 10;

/** The transaction of the engine that a batch is; each function runs on the spot, but for the first. */
export type BatchTransaction = {
  begin(): Promise<void>;
  /** @throws DatabaseFault where nothing of it was kept; it is over then, too */
  commit(): void;
  rollback(): void;
  /** Whether it is still going on: some faults of a statement end it. */
  isOpen(): boolean;
  /** Begins, keeps and undoes what is done inside of it. */
  savepoint(): void;
  release(): void;
  rollbackToSavepoint(): void;
};

/** Somebody's turn to change something. It ends with one of the two. */
export type Turn = {
  /**
   * Lets the next one go on, and waits until what was changed is on the disk.
   *
   * @throws DatabaseFault where it is not kept: `contended` where that was the fault of somebody else's statement
   */
  keep(): Promise<void>;
  /**
   * Undoes what was changed. Where others' changes were seen that are not on the disk yet, it waits for these:
   * nobody is told what was decided by them before.
   *
   * @throws DatabaseFault where others' changes were seen that are not kept
   */
  undo(): Promise<void>;
};

type Batch = {
  began: number;
  /** How many have kept something in it. */
  kept: number;
  settled: PromiseWithResolvers<void>;
};

export type SharedCommit = {
  /** Waits for one's turn. @throws DatabaseFault where it doesn't come */
  enter(): Promise<Turn>;
  /** Commits what waits for it. */
  flush(): void;
};

export function createSharedCommit(transaction: BatchTransaction): SharedCommit {
  const gate = createGate(1, patience);
  let batch: Batch | undefined;
  let isTaken = false;
  let isLooking = false;

  function settle(ended: Batch, how: () => void): void {
    if (batch === ended) batch = undefined;
    try {
      how();
      ended.settled.resolve();
    } catch (error) {
      ended.settled.reject(error);
    }
  }

  const commit = (ready: Batch) => settle(ready, transaction.commit);

  /** Commits a batch when a turn of the loop has brought it nobody more. */
  function lookWhetherReady(): void {
    if (isLooking || !batch) return;
    isLooking = true;
    const [looked, kept] = [batch, batch.kept];
    setImmediate(() => {
      isLooking = false;
      // Whoever has the turn looks again at its end.
      if (isTaken || !batch) return;
      if (batch !== looked || batch.kept > kept) lookWhetherReady();
      else commit(batch);
    });
  }

  async function enter(): Promise<Turn> {
    const leave = await gate.enter();
    isTaken = true;
    const end = () => {
      isTaken = false;
      lookWhetherReady();
      leave();
    };
    try {
      if (batch && !transaction.isOpen()) loseOpen(batch);
      const joined = batch;
      if (joined) transaction.savepoint();
      else {
        await transaction.begin();
        batch = { began: performance.now(), kept: 0, settled: Promise.withResolvers() };
        // Where everybody has undone what was changed, nobody asks how it ended.
        batch.settled.promise.catch(() => {});
      }
      return turnIn(batch as Batch, joined !== undefined, end);
    } catch (error) {
      end();
      throw error;
    }
  }

  function turnIn(own: Batch, hasJoined: boolean, end: () => void): Turn {
    return {
      async keep() {
        try {
          if (!transaction.isOpen()) loseOpen(own);
          else {
            if (hasJoined) transaction.release();
            own.kept++;
            if (performance.now() - own.began > maximumAge) commit(own);
          }
        } finally {
          end();
        }
        await own.settled.promise;
      },
      async undo() {
        try {
          if (!transaction.isOpen()) loseOpen(own);
          else if (hasJoined) transaction.rollbackToSavepoint();
          else settle(own, transaction.rollback);
        } finally {
          end();
        }
        if (hasJoined) await own.settled.promise;
      },
    };
  }

  /** A statement's fault has ended the transaction: all that was in it has to be done again. */
  function loseOpen(lost: Batch): void {
    settle(lost, () => {
      throw new DatabaseFault(
        'contended',
        'rolled back because another statement in the shared transaction failed',
      );
    });
  }

  return {
    enter,
    flush() {
      if (batch) commit(batch);
    },
  };
}
