import type { StoreApi } from 'zustand/vanilla';

/** Calls back once, when what is watched has another value. */
export type Watched = (onChanged: () => void) => void;

/** Watches a part of a store. */
export const onceChanged =
  <T>({ getState, subscribe }: Pick<StoreApi<T>, 'getState' | 'subscribe'>, part: (state: T) => unknown): Watched =>
  (onChanged) => {
    const before = part(getState());
    const stop = subscribe((state) => {
      if (part(state) === before) return;
      stop();
      onChanged();
    });
  };
