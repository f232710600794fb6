/**
 * Describes something when it is first asked for, and keeps it: describing the shapes of all messages and rows takes
 * longer than a start has for it, which uses few.
 */
export function lazySchema<T extends object>(describe: () => T): () => T {
  let shape: T | undefined;
  return () => (shape ??= describe());
}
