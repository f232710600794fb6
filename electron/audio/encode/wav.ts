const headerBytes = 44;

/** The beginning of a WAV file with 16-bit samples; `dataBytes` is the length of what follows. */
export function wavHeader(dataBytes: number, sampleRate: number, channelCount: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(Math.min(0xffff_ffff, dataBytes + headerBytes - 8), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channelCount, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * channelCount * 2, 28);
  header.writeUInt16LE(channelCount * 2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(Math.min(0xffff_ffff, dataBytes), 40);
  return header;
}

/** Samples of -1..1, channel beside channel, as 16-bit numbers; what is louder is cut at full scale. */
export function interleave16(channels: readonly Float32Array[]): Buffer {
  const length = channels[0]?.length ?? 0;
  const bytes = Buffer.alloc(length * channels.length * 2);
  for (const [channel, samples] of channels.entries()) {
    for (let at = 0; at < length; at += 1) {
      const value = Math.round((samples[at] ?? 0) * 32_768);
      bytes.writeInt16LE(Math.max(-32_768, Math.min(32_767, value)), (at * channels.length + channel) * 2);
    }
  }
  return bytes;
}

/** A whole WAV file of one channel. */
export function monoWav(samples: Float32Array, sampleRate: number): Buffer {
  const data = interleave16([samples]);
  return Buffer.concat([wavHeader(data.length, sampleRate, 1), data]);
}
