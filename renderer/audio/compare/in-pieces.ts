type Planes = readonly Float32Array[];

/** The last piece is shorter; silence where the stream ends early, so that two streams keep step. */
export async function* inPieces(
  blocks: AsyncGenerator<Planes, void, undefined>,
  frames: number,
  pieceFrames: number,
  run: { readonly isStopped: boolean } = { isStopped: false },
): AsyncGenerator<Planes, void, undefined> {
  let left = frames;
  let piece: Float32Array[] = [];
  let filled = 0;
  const sizeNow = () => Math.min(pieceFrames, left);
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    for (let at = 0; at < length && left > 0;) {
      if (filled === 0) piece = block.map(() => new Float32Array(sizeNow()));
      const count = Math.min(length - at, sizeNow() - filled);
      for (const [index, plane] of piece.entries())
        plane.set((block[index] ?? new Float32Array()).subarray(at, at + count), filled);
      at += count;
      filled += count;
      if (filled < sizeNow()) continue;
      yield piece;
      left -= filled;
      filled = 0;
    }
    if (left <= 0 || run.isStopped) return;
  }
  if (filled > 0 && !run.isStopped) {
    yield piece;
    left -= piece[0]?.length ?? left;
  }
  for (; left > 0 && !run.isStopped; left -= sizeNow()) yield [new Float32Array(sizeNow())];
}
