import { statSync } from 'node:fs';

/**
 * Answers whether the file that is at a path now is still there. SQLite goes on writing into a file that was deleted
 * or moved away, and says nothing; all of that would be gone with the program. Windows lets nobody take an open file away.
 */
export function watchFileIdentity(path: string): () => boolean {
  if (process.platform === 'win32') return () => true;
  const at = () => {
    try {
      return statSync(path, { bigint: true });
    } catch {
      return null;
    }
  };
  const first = at();
  return () => {
    const now = at();
    return now !== null && now.ino === first?.ino && now.dev === first.dev;
  };
}
