/**
 * Creates a schema on first use and keeps it: creating the schemas of all messages and rows takes longer than a start
 * can afford, and it uses few of them.
 */
export function lazySchema<T extends object>(describe: () => T): () => T {
  let shape: T | undefined;
  return () => (shape ??= describe());
}
