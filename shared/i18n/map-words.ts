interface WordTree {
  readonly [key: string]: string | WordTree;
}

function mapTree(tree: WordTree, change: (text: string, path: string) => string, prefix: string): WordTree {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      const path = `${prefix}${key}`;
      return [key, typeof value === 'string' ? change(value, path) : mapTree(value, change, `${path}.`)];
    }),
  );
}

/** A catalogue with every text changed and every key where it was. `path` is the key, as `common.failure.row`. */
export const mapWords = <T extends object>(words: T, change: (text: string, path: string) => string): T =>
  mapTree(words as unknown as WordTree, change, '') as unknown as T;
