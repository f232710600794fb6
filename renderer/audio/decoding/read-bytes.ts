/** The bytes of a recording starting at `from`, and its total size; null when it is shorter. */
export async function readBytes(
  url: string,
  from: number,
  count: number,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly size: number } | null> {
  const response = await fetch(url, { headers: { range: `bytes=${String(from)}-${String(from + count - 1)}` } });
  const size = Number(response.headers.get('content-range')?.split('/')[1]);
  if (response.status !== 206 || !Number.isSafeInteger(size)) {
    await response.body?.cancel();
    return null;
  }
  return { bytes: new Uint8Array(await response.arrayBuffer()), size };
}

/** The bytes of a recording in a range, in order, with the end exclusive; the network layer provides back pressure. */
export async function* byteStream(
  url: string,
  from = 0,
  to = Infinity,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const last = to === Infinity ? '' : String(to - 1);
  const response = await fetch(
    url,
    from === 0 && to === Infinity ? {} : { headers: { range: `bytes=${String(from)}-${last}` } },
  );
  if (!response.ok || response.body === null) throw new Error(`The recording answered with ${response.status}`);
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
