/** Messages between the main process and the homeserver process. */

/** The reply has the same `id`. */
export type Question = { type: 'sign-in' | 'add-sample-data' | 'is-busy'; id: number };

/** Replies by request: a single-use login token; the amount of sample data added. */
export type Answers = {
  'sign-in': string;
  /** Whether a task or a background update is running. */
  'is-busy': boolean;
  'add-sample-data': { users: number; rooms: number; messages: number; reports: number; tasks: number };
};

export type ToHomeserver = Question | { type: 'stop' };

export type FromHomeserver =
  /**
   * `url` is the loopback address without TLS; `addresses` are all listeners, and `isOpen` says if other computers
   * can reach them.
   */
  | { type: 'listening'; url: string; addresses: string[]; isOpen: boolean }
  /** Startup failed for a reason that a restart doesn't fix. */
  | { type: 'start-failed'; message: string }
  /** Its data is gone or used by another server, so it exits. */
  | { type: 'data-lost'; message: string }
  /** It is shutting down on request. */
  | { type: 'stopping'; isBusy: boolean }
  | { type: 'answer'; id: number; value: Answers[Question['type']] }
  | { type: 'question-failed'; id: number; message: string };
