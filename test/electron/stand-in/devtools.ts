/** A connection to Chromium's DevTools protocol: sends commands and emits events. */

type Message = {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
};

// The protocol's shapes are Chromium's own and looked up there; a caller names the part that it uses.
// biome-ignore lint/suspicious/noExplicitAny: as above
type Parameters = any;

export type DevToolsSession = {
  send(method: string, parameters?: Parameters): Promise<Parameters>;
  on(method: string, listener: (parameters: Parameters) => void): void;
};

export class DevTools implements DevToolsSession {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<Parameters>>();
  readonly #listeners = new Map<string, ((parameters: Parameters) => void)[]>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has gone'));
      this.#waiting.clear();
    });
  }

  static async connect(endpoint: string): Promise<DevTools> {
    const socket = new WebSocket(endpoint);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve, { once: true });
      socket.addEventListener('error', () => reject(new Error(`Cannot reach ${endpoint}`)), { once: true });
    });
    return new DevTools(socket);
  }

  send(method: string, parameters?: Parameters): Promise<Parameters> {
    return this.#command(undefined, method, parameters);
  }

  on(method: string, listener: (parameters: Parameters) => void): void {
    this.#listen(undefined, method, listener);
  }

  /** Returns a session for an attached target. */
  session(sessionId: string): DevToolsSession {
    return {
      send: (method, parameters) => this.#command(sessionId, method, parameters),
      on: (method, listener) => this.#listen(sessionId, method, listener),
    };
  }

  close(): void {
    this.#socket.close();
  }

  #command(sessionId: string | undefined, method: string, params: Parameters): Promise<Parameters> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Parameters>();
    this.#waiting.set(id, answer);
    this.#socket.send(JSON.stringify({ id, sessionId, method, params }));
    return answer.promise;
  }

  #listen(sessionId: string | undefined, method: string, listener: (parameters: Parameters) => void): void {
    const key = `${sessionId ?? ''} ${method}`;
    this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener]);
  }

  #receive({ id, sessionId, method, params, result, error }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId ?? ''} ${method}`) ?? []) listener(params);
      return;
    }
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) answer?.reject(new Error(error.message));
    else answer?.resolve(result);
  }
}
