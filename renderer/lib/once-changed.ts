import type { StoreApi } from 'zustand/vanilla';

export type Watched = (onChanged: () => void) => void;

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
