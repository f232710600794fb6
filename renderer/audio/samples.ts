export const joinSamples = (parts: readonly Float32Array[]): Float32Array<ArrayBuffer> => joined(Float32Array, parts);

export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => joined(Uint8Array, parts);

function joined<T extends Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>>(
  Kind: new (length: number) => T,
  parts: readonly (Float32Array | Uint8Array)[],
): T {
  const whole = new Kind(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const toMono = ([left = new Float32Array(), right = left]: readonly Float32Array[]): Float32Array<ArrayBuffer> =>
  left.map((value, at) => (value + (right[at] ?? 0)) / 2);

/** Workers have other base addresses. */
export const absoluteUrl = (url: string): string => new URL(url, document.baseURI).href;
