/** Makes a schema on first use: a start can't afford all of them and uses few. */
export function lazySchema<T extends object>(describe: () => T): () => T {
  let shape: T | undefined;
  return () => (shape ??= describe());
}
