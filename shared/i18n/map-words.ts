interface WordTree {
  readonly [key: string]: string | readonly string[] | WordTree;
}

function mapTree(tree: WordTree, change: (text: string, path: string) => string, prefix: string): WordTree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      const path = `${prefix}${key}`;
      if (typeof value === 'string') return [key, change(value, path)];
      if (Array.isArray(value)) return [key, change(value.join('\n'), path).split('\n')];
      return [key, mapTree(value as WordTree, change, `${path}.`)];
    }),
  );
}

/**
 * A catalogue with every text changed and every key where it was. `path` is the key, as `common.failure.row`. A list is
 * one text with a line per item.
 */
export const mapWords = <T extends object>(words: T, change: (text: string, path: string) => string): T =>
  mapTree(words as unknown as WordTree, change, '') as unknown as T;
