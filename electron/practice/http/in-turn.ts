/** One after another per key: of two equal requests at once, the second gets the answer of the first. */
export async function inTurn<T>(
  admissions: Map<string, Promise<unknown>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const turn = (admissions.get(key) ?? Promise.resolve()).then(work, work);
  admissions.set(key, turn);
  try {
    return await turn;
  } finally {
    if (admissions.get(key) === turn) admissions.delete(key);
  }
}
