export type Listener = ((...args: unknown[]) => void) & { inner?: Listener };

/** Node's event emitter, as far as preloads use it. Runs inside the page: refers to nothing outside itself. */
export function makeEmitter() {
  return class Emitter {
    // Not private: the preload reaches it through a proxy.
    readonly listenersByName = new Map<string, Listener[]>();
    on(name: string, listener: Listener): this {
      this.listenersByName.set(name, [...(this.listenersByName.get(name) ?? []), listener]);
      return this;
    }
    once(name: string, listener: Listener): this {
      const once: Listener = (...args) => {
        this.off(name, once);
        listener(...args);
      };
      once.inner = listener;
      return this.on(name, once);
    }
    off(name: string, listener: Listener): this {
      const list = this.listenersByName.get(name) ?? [];
      const at = list.findIndex((one) => one === listener || one.inner === listener);
      if (at >= 0) this.listenersByName.set(name, list.toSpliced(at, 1));
      return this;
    }
    addListener(name: string, listener: Listener): this {
      return this.on(name, listener);
    }
    removeListener(name: string, listener: Listener): this {
      return this.off(name, listener);
    }
    removeAllListeners(name?: string): this {
      if (name === undefined) this.listenersByName.clear();
      else this.listenersByName.delete(name);
      return this;
    }
    listenerCount(name: string): number {
      return this.listenersByName.get(name)?.length ?? 0;
    }
    emit(name: string, ...args: unknown[]): boolean {
      const list = this.listenersByName.get(name) ?? [];
      for (const listener of list) {
        try {
          listener(...args);
        } catch (error) {
          reportError(error);
        }
      }
      return list.length > 0;
    }
  };
}

export type MakeEmitter = typeof makeEmitter;
