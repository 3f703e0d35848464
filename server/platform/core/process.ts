/** Which process something belongs to, in a name or a file that may outlive it. */
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * A process of this container, told from each that has its number in another one, after it, or after a restart of the
 * machine: `number.start.boot.container`. The last three are empty where the system tells nothing of them.
 */
export const processMark = (pid = process.pid): string => [pid, startOf(pid), boot(), container()].join('.');

/** How a mark looks, as part of a regular expression. */
export const markPattern = String.raw`\d+\.\d*\.[0-9a-f]*\.\d*`;

/** `unknown` is one in another container, of which nothing can be seen from here. */
type Whereabouts = 'here' | 'running' | 'gone' | 'unknown';

/** What has become of the process of a mark. */
export function whereabouts(mark: string): Whereabouts {
  if (mark === processMark()) return 'here';
  const [pid, start, boot, container] = mark.split('.');
  const [, , ownBoot, ownContainer] = processMark().split('.');
  if (boot !== ownBoot) return 'gone';
  if (container !== ownContainer) return 'unknown';
  return isRunning(Number(pid)) && startOf(Number(pid)) === start ? 'running' : 'gone';
}

/** Whether another process of that number runs; a number may have come to another program meanwhile. */
export const isAnotherRunning = (pid: number): boolean => pid !== process.pid && isRunning(pid);

/** Whether there is a process of that number here, whoever's. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When it was started, in ticks since the machine was. Before the 20th value stands a name that may hold anything. */
const startOf = (pid: number) =>
  orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '');
const boot = () =>
  orNothing(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').replaceAll(/[^0-9a-f]/g, ''));
const container = () => orNothing(() => readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, ''));

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** What a program writes that nobody reads any more: its terminal was closed, or whoever read along has ended. */

/** From now on that is lost, and ends nothing: each line would be an error of its own that nobody has caught. */
export function goOnUnread(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
