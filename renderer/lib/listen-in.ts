export const listenIn =
  <L>(listeners: Set<L>) =>
  (listener: L): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
