const mostFiles = 60_000;

/** Which tokens stand for files that a person has just given: those may be sent once without another gesture. */
export function createGivenFiles() {
  const isGivenBy = new Map<string, boolean>();
  return {
    /** `isGiven`: by a drop or in a dialog, however long it took to find them all. */
    note(token: string, isGiven: boolean): void {
      const [oldest] = isGivenBy.keys();
      if (isGivenBy.size >= mostFiles && oldest !== undefined) isGivenBy.delete(oldest);
      isGivenBy.set(token, isGiven);
    },
    /** True when a hand gave every one of them and none was sent yet; they are used up by it. */
    takeAll(tokens: readonly string[]): boolean {
      if (tokens.length === 0 || new Set(tokens).size < tokens.length) return false;
      if (!tokens.every((token) => isGivenBy.get(token) === true)) return false;
      for (const token of tokens) isGivenBy.set(token, false);
      return true;
    },
  };
}

export type GivenFiles = ReturnType<typeof createGivenFiles>;
