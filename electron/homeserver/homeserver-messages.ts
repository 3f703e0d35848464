/** What the main process and the process that hosts the homeserver say to each other. */

/** `id` comes back in the answer. */
export type Question = { type: 'sign-in' | 'add-sample-data' | 'is-busy'; id: number };

/** What each question is answered with: a login token, good for one use; how much was added. */
export type Answers = {
  'sign-in': string;
  /** Whether a task or a background update is at work. */
  'is-busy': boolean;
  'add-sample-data': { users: number; rooms: number; messages: number; reports: number; tasks: number };
};

export type ToHomeserver = Question | { type: 'stop' };

export type FromHomeserver =
  /**
   * `url` is where this machine reaches it without encryption; `addresses` are all where it listens, and `isOpen` says
   * whether others than this machine may reach it.
   */
  | { type: 'listening'; url: string; addresses: string[]; isOpen: boolean }
  /** It could not start, for a reason that starting it again does not change. */
  | { type: 'start-failed'; message: string }
  /** Its data is not its own any more, or not there: it ends now. */
  | { type: 'data-lost'; message: string }
  /** It was told to stop, and does so now. */
  | { type: 'stopping'; isBusy: boolean }
  | { type: 'answer'; id: number; value: Answers[Question['type']] }
  | { type: 'question-failed'; id: number; message: string };
