/** Audio of the service: 16-bit mono at this rate (contract 4.5). */
export const spokenRate = 24_000;

const mostHeaderBytes = 4096;

/**
 * Emits the samples of a WAV while it arrives, for immediate playback. A second attempt at the same generation brings
 * the same file from its start: samples that were emitted already are skipped. A file with any other layout emits
 * nothing.
 */
export function createPcmListener(onAudio: (pcm: Int16Array<ArrayBuffer>) => void) {
  let given = 0;
  return {
    hasGiven: () => given > 0,
    listen: () => {
      let head: Buffer | null = Buffer.alloc(0);
      let isPlain = true;
      let seen = 0;
      let odd: Buffer = Buffer.alloc(0);
      const take = (bytes: Uint8Array) => {
        const whole = Buffer.concat([odd, bytes]);
        const length = whole.length - (whole.length % 2);
        odd = whole.subarray(length);
        const samples = new Int16Array(length / 2);
        for (let at = 0; at < samples.length; at += 1) samples[at] = whole.readInt16LE(at * 2);
        const fresh = samples.slice(Math.max(0, given - seen));
        seen += samples.length;
        if (fresh.length === 0) return;
        given = seen;
        onAudio(fresh);
      };
      return (chunk: Uint8Array): void => {
        if (!isPlain) return;
        if (head === null) {
          take(chunk);
          return;
        }
        head = Buffer.concat([head, chunk]);
        const dataAt = head.indexOf('data', 12, 'latin1');
        if (dataAt === -1 || head.length < dataAt + 8) {
          isPlain = head.length < mostHeaderBytes;
          return;
        }
        const format = head.indexOf('fmt ', 12, 'latin1');
        isPlain =
          format !== -1 &&
          format < dataAt &&
          head.readUInt16LE(format + 10) === 1 &&
          head.readUInt32LE(format + 12) === spokenRate &&
          head.readUInt16LE(format + 22) === 16;
        const first = head.subarray(dataAt + 8);
        head = null;
        if (isPlain) take(first);
      };
    },
  };
}
