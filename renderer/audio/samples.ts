export function joinSamples(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
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
