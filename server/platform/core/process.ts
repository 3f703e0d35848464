/** Processes of this computer, and this one's output. */

/** Whether another process with this ID is running. The system may have given a dead process's ID to another program. */
export const isAnotherRunning = (pid: number): boolean => pid !== process.pid && isRunning(pid);

/** Whether any user's process with this ID is running. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Discards output once its reader is gone, such as a closed terminal, instead of exiting with an uncaught error. */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
