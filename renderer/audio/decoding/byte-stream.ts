/** The bytes of a recording in order; the network layer holds back what is not yet asked for. */
export async function* byteStream(url: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const response = await fetch(url);
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
