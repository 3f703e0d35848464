/** What the main process and the process that hosts the homeserver say to each other. */

/** `id` comes back in the answer. */
export type Question = { type: 'sign-in'; id: number } | { type: 'add-sample-data'; id: number };

export type ToHomeserver = Question | { type: 'stop' };

export type FromHomeserver =
  | { type: 'listening'; url: string }
  /** It could not start, for a reason that starting it again does not change. */
  | { type: 'start-failed'; message: string }
  /** The answer to `sign-in` is a login token, good for one use; to `add-sample-data` what was added. */
  | { type: 'answer'; id: number; value: string }
  | { type: 'question-failed'; id: number; message: string };
