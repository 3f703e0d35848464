/** The frames of a page, as seen by the main process. */
import { fromPage } from './addresses.ts';
import type { DevToolsSession } from './devtools.ts';
import { loud } from './loud.ts';

class Frame {
  readonly routingId: number;
  readonly parent: Frame | null;
  url = 'about:blank';

  constructor(routingId: number, parent: Frame | null) {
    this.routingId = routingId;
    this.parent = parent;
  }

  get origin(): string {
    return URL.parse(this.url)?.protocol === 'app:' ? this.url.split('/', 3).join('/') : 'null';
  }

  get top(): Frame {
    return this.parent?.top ?? this;
  }
}

export class Frames {
  readonly main: Frame;
  readonly #frames = new Map<string, Frame>();
  /** Frame and world of each execution context. */
  readonly #contexts = new Map<number, { frameId: string; world: string }>();
  #lastRoutingId = 0;

  /** The main frame's ID is that of the page's target. */
  constructor(session: DevToolsSession, targetId: string) {
    this.main = this.#add(targetId, undefined);
    session.on('Page.frameAttached', ({ frameId, parentFrameId }) => this.#add(frameId, parentFrameId));
    session.on('Page.frameNavigated', ({ frame }) => {
      const known = this.#frames.get(frame.id) ?? this.#add(frame.id, frame.parentId);
      known.url = fromPage(frame.url);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      const known = this.#frames.get(frameId);
      if (known) known.url = fromPage(url);
    });
    session.on('Page.frameDetached', ({ frameId }) => this.#frames.delete(frameId));
    session.on('Runtime.executionContextCreated', ({ context }) => {
      this.#contexts.set(context.id, { frameId: context.auxData.frameId, world: context.name });
    });
    session.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      this.#contexts.delete(executionContextId);
    });
    session.on('Runtime.executionContextsCleared', () => this.#contexts.clear());
  }

  /** Returns the DevTools IDs of all child frames. */
  get childIds(): string[] {
    return [...this.#frames].filter(([, { parent }]) => parent !== null).map(([id]) => id);
  }

  ofId(frameId: string): Frame | undefined {
    return this.#frames.get(frameId);
  }

  ofContext(contextId: number): Frame | null {
    const context = this.#contexts.get(contextId);
    return (context && this.#frames.get(context.frameId)) ?? null;
  }

  /** Returns the main frame's context of a world, such as that of the preload script. Undefined during a navigation. */
  contextOf(world: string): number | undefined {
    for (const [id, context] of this.#contexts) {
      if (context.world === world && this.#frames.get(context.frameId)?.parent === null) return id;
    }
    return undefined;
  }

  #add(frameId: string, parentId: string | undefined): Frame {
    const parent = (parentId && this.#frames.get(parentId)) || null;
    const frame = loud('WebFrameMain', new Frame(++this.#lastRoutingId, parent));
    this.#frames.set(frameId, frame);
    return frame;
  }
}
